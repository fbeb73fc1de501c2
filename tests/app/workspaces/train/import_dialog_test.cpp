// SPDX-License-Identifier: GPL-3.0-or-later
// Importing a corpus in the window, with the real worker.
#include "app/documents/items/paths.h"
#include "app/parts/access_keys.h"
#include "app/workspaces/train/data/corpus_export.h"
#include "app/workspaces/train/data/corpus_list.h"
#include "app/workspaces/train/data/data_tables.h"
#include "app/workspaces/train/data/data_view.h"
#include "app/workspaces/train/data/import_dialog.h"
#include "app/workspaces/train/launch_form.h"
#include "app/workspaces/train/train_actions.h"
#include "core/audio/audio_file.h"
#include "core/corpus/corpus.h"
#include "tests/app/workspaces/train/train_desk.h"
#include "tests/support/made_corpus.h"
#include "tests/support/runner.h"

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSet>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <fstream>

namespace headroom::testing::import_dialog_test {

using namespace headroom::app;
namespace fs = std::filesystem;

namespace {

/// The sentence at the foot is shown as a mistake.
bool isRed(const ImportDialog& dialog) {
    for (const QLabel* label : dialog.findChildren<QLabel*>())
        if (label->text() == dialog.sentence() && label->property("mistake").toBool())
            return true;
    return false;
}

/// A LibriSpeech of two splits with one utterance each.
fs::path downloaded(const TrainWorkshop& shop) {
    for (const std::string split : {"train-clean-100", "dev-clean"}) {
        shop.text("LibriSpeech/" + split + "/1/2/1-2.trans.txt", "1-2-" + split + " HELLO THERE\n");
        saveWav(shop.path() / "LibriSpeech" / split / "1/2" / ("1-2-" + split + ".wav"), std::vector<float>(32000, 0.1F), kModelSampleRate);
    }
    return shop.path() / "LibriSpeech";
}

} // namespace

class ImportDialogTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theCommandIsTheWorkers() {
        CorpusImport request;
        request.from = "/data/a b";
        request.out = "/new";
        QCOMPARE(importArguments(request), (std::vector<std::string>{"corpus", "--from", "/data/a b", "--out", "/new"}));
        request.kind = "librispeech";
        request.splits = {{"train", {"a", "b"}}, {"dev", {"c"}}};
        request.maps = {{"/old", "/here"}};
        request.copy = request.lowercase = true;
        request.language = "en";
        request.speeds = {0.9, 1.1};
        request.heldOut = {{"dev", 5}, {"test", 2.5}};
        QCOMPARE(importArguments(request, 0),
                 (std::vector<std::string>{"corpus", "librispeech", "--from", "/data/a b", "--out", "/new", "--split", "train=a,b", "--split",
                                           "dev=c", "--hold-out", "dev=5", "--hold-out", "test=2.5", "--language", "en", "--pieces", "0", "--speed", "0.9,1.1", "--map", "/old=/here",
                                           "--lowercase", "--copy"}));
    }

    void mistakesAreSaid() {
        TrainWorkshop shop;
        ImportDialog dialog;
        QVERIFY(!dialog.startButton()->isEnabled());
        QCOMPARE(dialog.sentence(), QStringLiteral("Choose the folder of the corpus."));
        dialog.setFrom(shop.path() / "nowhere");
        QVERIFY(dialog.sentence().contains(QStringLiteral("is not a folder")));
        dialog.setFrom(downloaded(shop));
        dialog.setOut(shop.path() / "LibriSpeech");
        QVERIFY(dialog.sentence().contains(QStringLiteral("is not empty")));
        dialog.setOut("relative"); // it would lie in the folder that the program was started from
        QVERIFY(!dialog.startButton()->isEnabled());
        QCOMPARE(dialog.sentence(), QStringLiteral("relative is not a full path. Begin it with / or ~/."));
        dialog.setOut(shop.path() / "new");
        QVERIFY(dialog.startButton()->isEnabled());
        dialog.setSplits(QStringLiteral("train dev=dev-clean"));
        QCOMPARE(dialog.sentence(), QStringLiteral("“train” is not NAME=A,B."));
        dialog.setSplits(QStringLiteral("train=train-clean-100 dev=dev-clean,dev-other"));
        QVERIFY(dialog.startButton()->isEnabled());
        QCOMPARE(dialog.request().splits.back().second, (std::vector<std::string>{"dev-clean", "dev-other"}));
        dialog.setMap(QStringLiteral("/old"));
        QVERIFY(!dialog.startButton()->isEnabled());
        dialog.setMap({});
        for (const char* size : {"many", "-1", "100001", "1.5"}) {
            dialog.setPieces(QLatin1String(size));
            QCOMPARE(dialog.sentence(), QStringLiteral("“%1” is not a whole number from 0 to 100,000.").arg(QLatin1String(size)));
        }
        dialog.setPieces(QStringLiteral("8,000"));
        for (const char* speed : {"fast", "0.4", "2.1", "nan"}) {
            dialog.setSpeeds(QStringLiteral("0.9, %1").arg(QLatin1String(speed)));
            QCOMPARE(dialog.sentence(), QStringLiteral("“%1” is not a speed from 0.5 to 2.").arg(QLatin1String(speed)));
            QVERIFY(!dialog.startButton()->isEnabled());
        }
        dialog.setSpeeds(QStringLiteral("0.9, 1.1 0.90"));
        QCOMPARE(dialog.sentence(), QStringLiteral("The speed 0.9 is entered more than once."));
        QVERIFY(!dialog.startButton()->isEnabled());
        dialog.setSpeeds(QStringLiteral("0.9, 1.1"));
        QVERIFY(dialog.startButton()->isEnabled());
        const auto words = dialog.arguments();
        QVERIFY(std::ranges::search(words, std::vector<std::string>{"--pieces", "8000", "--speed", "0.9,1.1"}).size() == 4);
    }

    /// Alt and a letter led nowhere, as they do in Evaluate.
    void fieldsAndButtonsHaveAccessKeys() {
        ImportDialog dialog;
        giveAccessKeys(&dialog); // as when it is shown in the window
        QSet<QChar> keys;
        int widgets = 0;
        const auto take = [&](const QString& text) {
            const qsizetype mark = text.indexOf(u'&');
            QVERIFY2(mark >= 0, qPrintable(text));
            keys << text[mark + 1].toLower();
            ++widgets;
        };
        for (const QAbstractButton* button : dialog.findChildren<QAbstractButton*>())
            if (!button->text().isEmpty()) // those in a field have a picture only
                take(button->text());
        for (const QLabel* label : dialog.findChildren<QLabel*>())
            if (label->buddy())
                take(label->text());
        QCOMPARE(widgets, 14); // five buttons and nine fields
        QCOMPARE(keys.size(), widgets);
    }

    /// Both began where any dialogue of the program was last.
    void theFoldersAreAskedForApart() {
        TrainWorkshop shop;
        ImportDialog dialog;
        std::vector<AppSettings::FolderOf> purposes;
        dialog.askPath = [&](const PathAsked& asked) {
            purposes.push_back(asked.purpose);
            return purposes.size() == 1 ? toQString(shop.path()) : QString();
        };
        for (const QLineEdit* field : dialog.findChildren<QLineEdit*>())
            for (QAction* action : field->actions())
                if (action->toolTip() == QStringLiteral("Choose a folder"))
                    action->trigger();
        QVERIFY((purposes == std::vector{AppSettings::FolderOf::Downloads, AppSettings::FolderOf::Corpora}));
        QCOMPARE(dialog.request().from, shop.path());
    }

    /// They were buttons without a name, which Ctrl+K did not find; an empty view did not offer to import.
    void theActionsOfDataAreFoundByTheirNames() {
        Desk desk("good");
        QStringList named;
        QAction* import = nullptr;
        for (const Actions::Listed& one : desk.workspace->listedActions()) {
            const QString menu = one.action->property("menu").toString();
            named << (menu.isEmpty() ? QString() : menu + QStringLiteral(": ")) + one.action->text();
            if (one.action->text() == QStringLiteral("Import a corpus…"))
                import = one.action;
        }
        for (const char* name : {"Add a corpus…", "Import a corpus…", "Pieces", "Export as: kaldi", "Export as: fairseq", "Export as: lhotse", "Export as: nemo"})
            QVERIFY2(named.contains(QString::fromUtf8(name)), name);
        QVERIFY(desk.workspace->makeMenus(desk.workspace.get()).front()->actions().contains(import));
        // Nothing can be exported yet, and each says so.
        for (const QAction* form : desk.workspace->data()->exports()->menu()->actions())
            QVERIFY2(!form->isEnabled() && form->toolTip() == QStringLiteral("Choose a corpus first."), qPrintable(form->text()));
        const auto* list = desk.workspace->data()->list();
        QStringList offered;
        for (const auto* button : list->findChildren<QAbstractButton*>())
            offered << button->text();
        QVERIFY2(offered.contains(QStringLiteral("Import a corpus…")), qPrintable(offered.join(u'\n')));
        // From elsewhere, too.
        QVERIFY(!desk.workspace->data()->isVisible());
        import->trigger();
        auto* dialog = desk.workspace->data()->findChild<ImportDialog*>();
        QVERIFY(dialog && dialog->isVisible());
        QTest::keyClick(dialog, Qt::Key_Escape); // and one is where one was
        QVERIFY(!desk.workspace->data()->isVisible());
    }

    void anImportedCorpusIsOpened() {
        Desk desk("good");
        qputenv("HEADROOM_WORKER", HEADROOM_REAL_WORKER);
        DataView* view = desk.workspace->data();
        QVERIFY(!view->isVisible());
        ImportDialog* dialog = view->askImport(downloaded(desk.shop));
        QCOMPARE(view->askImport(), dialog); // one of them
        dialog->open();
        dialog->setKind(QStringLiteral("librispeech"));
        dialog->setOut(desk.shop.path() / "made");
        dialog->setSplits(QStringLiteral("train=train-clean-100 dev=dev-clean"));
        QSignalSpy imported(dialog, &ImportDialog::imported);
        dialog->startButton()->click();
        QVERIFY(dialog->isRunning() && !dialog->startButton()->isEnabled());
        QTRY_VERIFY_WITH_TIMEOUT(imported.count() == 1, 120000); // then the dialogue is gone
        QTRY_VERIFY_WITH_TIMEOUT(view->current() && view->current()->folder == desk.shop.path() / "made", 60000);
        QCOMPARE(view->current()->summary.utterances(), std::int64_t(2));
        QVERIFY(view->isVisible());
        // Only a terminal showed it.
        QVERIFY2(desk.said().contains(QStringLiteral("made: 1 speaker is in more than one split")), qPrintable(desk.said()));
    }

    /// Lower case, pieces, speeds and the language could be set in a terminal only.
    void theOptionsOfTheCommandShapeTheNewCorpus() {
        TrainWorkshop shop;
        qputenv("HEADROOM_WORKER", HEADROOM_REAL_WORKER);
        ImportDialog dialog;
        dialog.setFrom(downloaded(shop));
        dialog.setOut(shop.path() / "made");
        const std::vector<std::string> usual = dialog.arguments(); // the defaults are the command's
        QCOMPARE(usual.size(), std::size_t(5));
        dialog.setSplits(QStringLiteral("train=train-clean-100 dev=dev-clean"));
        dialog.setLanguage(QStringLiteral("fr"));
        dialog.setPieces(QStringLiteral("0"));
        dialog.setSpeeds(QStringLiteral("0.9"));
        dialog.setLowercase(true);
        QSignalSpy imported(&dialog, &ImportDialog::imported);
        dialog.startButton()->click();
        for (const QLineEdit* field : dialog.findChildren<QLineEdit*>())
            QVERIFY(!field->isEnabled());
        QTRY_VERIFY2_WITH_TIMEOUT(imported.count() == 1, qPrintable(dialog.sentence()), 120000);
        const auto corpus = Corpus::open(shop.path() / "made");
        QCOMPARE(corpus.document().languages, std::vector<std::string>{"fr"});
        const auto& train = corpus.utterances("train", "asr");
        QCOMPARE(train.size(), std::size_t(2));
        QCOMPARE(train[0].text, std::string("hello there"));
        QVERIFY(std::ranges::any_of(train, [](const Utterance& one) { return one.id.starts_with("sp0.9-"); }));
        QCOMPARE(corpus.utterances("dev", "asr").size(), std::size_t(1));
        QVERIFY(!fs::exists(shop.path() / "made/asr.sentencepiece.model"));
    }

    void whatFailsIsSaidAndNothingIsLeft() {
        TrainWorkshop shop;
        qputenv("HEADROOM_WORKER", HEADROOM_REAL_WORKER);
        fs::create_directories(shop.path() / "empty");
        ImportDialog dialog;
        dialog.setFrom(shop.path() / "empty");
        dialog.setKind(QStringLiteral("librispeech"));
        dialog.startButton()->click();
        QTRY_VERIFY_WITH_TIMEOUT(!dialog.isRunning(), 120000);
        QVERIFY2(dialog.sentence().contains(QStringLiteral("empty")), qPrintable(dialog.sentence()));
        QVERIFY(isRed(dialog));
        QVERIFY(dialog.startButton()->isEnabled()); // to be tried with other values
        dialog.setKind(QStringLiteral("timit"));
        QVERIFY(!isRed(dialog)); // the hint again
        QVERIFY(!fs::exists(shop.path() / "empty-headroom") && !fs::exists(shop.path() / ".empty-headroom.making"));
    }

    void aCancelledImportLeavesNothing() {
        TrainWorkshop shop;
        qputenv("HEADROOM_WORKER", HEADROOM_REAL_WORKER);
        ImportDialog dialog;
        dialog.setFrom(downloaded(shop));
        dialog.show();
        dialog.startButton()->click();
        QVERIFY(dialog.isRunning());
        dialog.cancelButton()->click();
        QTRY_VERIFY_WITH_TIMEOUT(!dialog.isRunning(), 60000);
        QCOMPARE(dialog.sentence(), QStringLiteral("Cancelled. Nothing was written."));
        QVERIFY(dialog.isVisible() && !fs::exists(shop.path() / "LibriSpeech-headroom"));
        for (const auto& entry : fs::directory_iterator(shop.path()))
            QVERIFY2(!entry.path().filename().string().starts_with("."), entry.path().c_str());
    }

    void cleanup() { qunsetenv("HEADROOM_WORKER"); }

    /// A folder of NeMo manifests was “not a corpus”, and nothing said that it can be imported.
    void aCorpusOfAnotherKindIsOfferedForImport() {
        Desk desk("good");
        const fs::path folder = desk.shop.path() / "downloaded";
        fs::create_directories(folder);
        std::ofstream(folder / "train_manifest.json") << R"({"audio_filepath": "one.wav", "duration": 2.0, "text": "one"})" << '\n';
        desk.workspace->actions().data->trigger();
        DataView* view = desk.workspace->data();
        const auto importButton = [&] {
            QPushButton* found = nullptr;
            for (auto* button : view->findChildren<QPushButton*>())
                found = button->isVisible() && button->text() == QStringLiteral("Import…") ? button : found;
            return found;
        };
        view->open(folder);
        QVERIFY(QTest::qWaitFor([&] { return !view->isPending(); }, 60000));
        bool says = false;
        for (const QLabel* label : view->findChildren<QLabel*>())
            says = says || (label->isVisible() && label->text() == QStringLiteral("downloaded is a corpus of another kind, nemo. Import it first; importing only reads it."));
        QVERIFY(says);
        QVERIFY(importButton());
        LaunchForm* form = desk.workspace->form();
        form->setData(folder);
        QTRY_VERIFY_WITH_TIMEOUT(!form->isPending(), 60000);
        QCOMPARE(form->mistakes()[QStringLiteral("data")],
                 QStringLiteral("downloaded is a corpus of another kind, nemo. Import it first; importing only reads it."));
        desk.workspace->actions().data->setChecked(true);
        importButton()->click();
        auto* dialog = view->findChild<ImportDialog*>();
        QVERIFY(dialog);
        QCOMPARE(dialog->request().from, folder);
        dialog->close();
        fs::create_directories(desk.shop.path() / "empty");
        view->open(desk.shop.path() / "empty");
        QVERIFY(QTest::qWaitFor([&] { return !view->isPending(); }, 60000));
        QVERIFY(!importButton());
    }

    /// The only advice was to name another split, and nothing said that there is a table.
    void aTableThatWasNotReadIsTheReasonWhyThereAreNoTexts() {
        Desk desk("good");
        qputenv("HEADROOM_WORKER", HEADROOM_REAL_WORKER);
        desk.shop.text("downloaded/train.tsv", "key\tsoundfile\twords\none\tone.wav\tone\n");
        saveWav(desk.shop.path() / "downloaded/one.wav", std::vector<float>(32000, 0.1F), kModelSampleRate);
        DataView* view = desk.workspace->data();
        view->setRecipeSplits("train", "dev");
        ImportDialog* dialog = view->askImport(desk.shop.path() / "downloaded");
        dialog->startButton()->click();
        QTRY_VERIFY_WITH_TIMEOUT(view->current() && view->current()->folder == desk.shop.path() / "downloaded-headroom", 120000);
        QStringList labels;
        for (const QLabel* label : view->findChildren<QLabel*>())
            labels << label->text();
        QVERIFY2(labels.contains(QStringLiteral("These recordings have no texts to train on, because a table was not read (see Defects).")),
                 qPrintable(labels.join(u'\n')));
        const auto& defects = view->current()->summary.defects;
        const auto unread = std::ranges::find(defects, "corpus.unreadTable", &CorpusDefect::code);
        QVERIFY(unread != defects.end());
        QCOMPARE(QString::fromStdString(unread->utterances.front().sentence),
                 QStringLiteral("train.tsv: the table was not read because it has no columns or keys that name recordings and texts."));
    }

    void recordingsWithoutTextsSayHowToReadThem() {
        Desk desk("good");
        const fs::path folder = desk.shop.path() / "downloaded";
        fs::create_directories(folder);
        saveWav(folder / "one.wav", std::vector<float>(32000, 0.1F), kModelSampleRate);
        desk.workspace->actions().data->trigger();
        DataView* view = desk.workspace->data();
        view->open(folder);
        QVERIFY(QTest::qWaitFor([&] { return view->current() != nullptr; }, 60000));
        QPushButton* copy = nullptr;
        for (auto* button : view->findChildren<QPushButton*>())
            copy = button->isVisible() && button->text() == QLatin1String("Copy the command") ? button : copy;
        QVERIFY(copy);
        copy->click();
        QVERIFY(
            QApplication::clipboard()->text().contains(QStringLiteral("corpus --from ") + toQString(folder)));
        QVERIFY(!view->trainButton()->isEnabled());
        QStringList labels;
        for (const QLabel* label : view->findChildren<QLabel*>())
            labels << label->text();
        QVERIFY(labels.contains(QStringLiteral("recordings without texts")));
        QVERIFY2(labels.contains(QStringLiteral("These recordings have no texts to train on. Import the corpus first.")),
                 qPrintable(labels.join(u'\n'))); // another split would not help
        // Their lengths are those of their headers.
        const CorpusDefect& empty = view->current()->summary.defects.front();
        QCOMPARE(empty.code, std::string("corpus.emptyText"));
        const StudyTable rows = defectiveTable(empty, *view->current()->corpus, "asr");
        QVERIFY(std::abs(std::get<double>(rows.rows.front()[3]) - 2) < 0.05);
        LaunchForm* form = desk.workspace->form();
        form->setData(folder);
        QTRY_VERIFY_WITH_TIMEOUT(!form->isPending(), 60000);
        const QString mistake = form->mistakes()[QStringLiteral("data")];
        QCOMPARE(mistake, QStringLiteral("No texts were found beside the recordings of downloaded. If the folder is a corpus of another kind, choose "
                                         "Runs ▸ Import a corpus… first."));
        view->open(makeCorpus(desk.shop.path() / "made"));
        QVERIFY(QTest::qWaitFor([&] { return !view->isPending(); }, 60000));
        QVERIFY(!copy->isVisible());
    }
};

HEADROOM_TEST(ImportDialogTest)

} // namespace headroom::testing::import_dialog_test

#include "import_dialog_test.moc"
