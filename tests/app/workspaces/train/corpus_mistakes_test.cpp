// SPDX-License-Identifier: GPL-3.0-or-later
// What New run, Data and Import say of a folder that cannot be trained on or read.
#include "app/parts/forms/form_row.h"
#include "app/workspaces/train/corpus_watch.h"
#include "app/workspaces/train/data/corpus_reader.h"
#include "app/workspaces/train/data/data_tables.h"
#include "app/workspaces/train/data/data_view.h"
#include "app/workspaces/train/data/import_dialog.h"
#include "app/workspaces/train/launch_form.h"
#include "app/workspaces/train/recipe_model.h"
#include "app/workspaces/train/train_actions.h"
#include "tests/app/workspaces/train/train_desk.h"
#include "tests/support/made_corpus.h"
#include "tests/support/runner.h"

#include <QAbstractButton>
#include <QAction>
#include <QGuiApplication>
#include <QLabel>
#include <QSignalSpy>

#include <chrono>
#include <fstream>
#include <tuple>

namespace headroom::testing::corpus_mistakes_test {

using namespace headroom::app;
namespace fs = std::filesystem;

class CorpusMistakesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// They spoke of --copy and --map beside “Copy the recordings” and “Paths”.
    void errorsNameTheFields_data() {
        QTest::addColumn<QString>("said");
        QTest::addColumn<QString>("shown");
        QTest::newRow("copy") << "Use --copy to write them into the new corpus." << "Use “Copy the recordings” to write them into the new corpus.";
        QTest::newRow("kind") << "needs --copy" << "needs “Copy the recordings”";
        QTest::newRow("map") << "A file of this name is here: set --map '/old/a b=/here'." << "A file of this name is here: set “Paths” to /old/a b=/here.";
        QTest::newRow("apostrophe") << "Here: set --map '/old/it's=/here'." << "Here: set “Paths” to /old/it's=/here.";
        QTest::newRow("maps") << "set --map OLD=NEW." << "set “Paths” to OLD=NEW.";
        QTest::newRow("split") << "Build one with --split train=a,…." << "Build one with “Splits”: train=a,….";
        QTest::newRow("language") << "Use --language to name it." << "Use “Language” to name it.";
        QTest::newRow("speed") << "Import it without --speed." << "Import it without “Speeds”.";
        QTest::newRow("folder") << "Set --from to one of these folders." << "Set “Folder” to one of these folders.";
        QTest::newRow("path") << "/data/--copy has --copy-of, x--copy." << "/data/--copy has --copy-of, x--copy.";
    }
    void errorsNameTheFields() {
        QFETCH(QString, said);
        QTEST(withFieldNames(said), "shown");
    }

    void theNamesInErrorsAreThoseOfTheFields() {
        CorpusImport all;
        all.splits = {{"train", {"a"}}};
        all.heldOut = {{"dev", 5}};
        all.maps = {{"/old", "/here"}};
        all.language = "en";
        all.speeds = {0.9};
        all.lowercase = all.copy = true;
        const ImportDialog dialog;
        QStringList labels;
        for (const QLabel* label : dialog.findChildren<QLabel*>())
            labels << label->text();
        for (const QAbstractButton* button : dialog.findChildren<QAbstractButton*>())
            labels << button->text();
        for (const std::string& word : importArguments(all, 0)) {
            if (!word.starts_with("--"))
                continue;
            const QString shown = withFieldNames(QString::fromStdString(word));
            QVERIFY2(labels.contains(shown.section(u'“', 1).section(u'”', 0, 0)), qPrintable(shown));
        }
    }

    /// The form called it “a corpus of another kind, headroom”.
    void aDamagedCorpusIsNoOtherKind() {
        Desk desk("good");
        const fs::path folder = makeCorpus(desk.shop.path() / "damaged");
        writeFile(folder / "corpus.json", "{\n");
        QCOMPARE(importFirstText(folder), QString());
        LaunchForm* form = desk.workspace->form();
        form->setData(folder);
        QTRY_VERIFY_WITH_TIMEOUT(!form->isPending(), 60000);
        const QString said = form->mistakes()[QStringLiteral("data")];
        QVERIFY2(said.contains(QStringLiteral("corpus.json")) && said.contains(QStringLiteral("JSON")), qPrintable(said));
    }

    /// Its recordings lie in the folder, too: they were called recordings without texts.
    void tablesBesideRecordingsAreAnotherKind() {
        const TrainWorkshop shop;
        for (const char* name : {"a", "b"})
            saveWav(shop.text(std::string("tables/") + name + ".wav", ""), std::vector<float>(16000, 0.1F), kModelSampleRate);
        shop.text("tables/train.tsv", "audio\ttext\na.wav\thello\nb.wav\tthere\n");
        const QString said = importFirstText(shop.path() / "tables");
        QCOMPARE(said, QStringLiteral("tables is a corpus of another kind, csv. Import it first; importing only reads it."));
    }

    /// Data counted them as well, the form did not: both had their own rule.
    void dataAndTheFormCountWhatStopsARunAlike() {
        const TrainWorkshop shop;
        Recipe recipe = TrainWorkshop::smoke();
        recipe.data.trainSplit = "train";
        recipe.data.validationSplit = "dev";
        const fs::path corpus = makeCorpus(shop.path() / "made");
        std::ofstream(corpus / "train_asr.tsv", std::ios::app) << "long\taudio/talk.wav:0:41840\t99999\tthe dog\tspeaker0\n"
                                                               << "short\taudio/talk.wav:0:41840\t1\tthe dog\tspeaker0\n"
                                                               << "mute\taudio/talk.wav:0:41840\t300\t\tspeaker0\n";
        const LengthLimits limits{recipe.data.minFrames, recipe.data.maxFrames};
        const auto counts = [&] {
            const auto summary = summariseCorpus(Corpus::open(corpus), recipe.task);
            const auto left = leftOutBy(summary->split("train"), limits);
            return std::tuple(left.stopping, std::int64_t(readDataFacts(corpus, recipe, {}).thatStop(recipe.data).size()),
                              statusText(summary->split("train"), limits).contains(QStringLiteral("would stop a run")));
        };
        QCOMPARE(counts(), std::tuple(std::int64_t(0), std::int64_t(0), false));
        std::ofstream(corpus / "train_asr.tsv", std::ios::app) << "other\taudio/talk.wav:0:41840\t300\tthe dog\tspeaker0\n";
        QCOMPARE(counts(), std::tuple(std::int64_t(1), std::int64_t(1), true));
    }

    /// The form kept what it had said first: only another folder and back brought the truth.
    void aCorpusThatWasPutRightIsReadAgain() {
        Desk desk("good");
        const fs::path folder = makeCorpus(desk.shop.path() / "made"), talk = folder / "audio/talk.wav", whole = desk.shop.path() / "whole.wav";
        for (const char* split : {"train", "dev"}) // without a defect
            writeFile(folder / (std::string(split) + "_asr.tsv"), std::string("id\taudio\tn_frames\ttgt_text\n") + split + "\taudio/talk.wav\t1198\tthe dog\n");
        LaunchForm* form = desk.workspace->form();
        form->chooseRecipe(desk.shop.resource("recipes/smoke.json"));
        for (const char* value : {"data.trainSplit=train", "data.validationSplit=dev"})
            form->values()->write(QString::fromLatin1(value).section(u'=', 0, 0), QString::fromLatin1(value).section(u'=', 1));
        const auto saysIt = [&] { return form->mistakes()[QStringLiteral("data")].contains(QStringLiteral("would stop a run")); };
        const auto cut = [&] {
            fs::copy_file(talk, whole, fs::copy_options::overwrite_existing);
            fs::resize_file(talk, 100);
            form->setData(folder);
            QTRY_VERIFY_WITH_TIMEOUT(!form->isPending() && saysIt(), 60000);
        };
        const auto mend = [&] { fs::copy_file(whole, talk, fs::copy_options::overwrite_existing); };
        cut();
        mend();
        form->setData(folder); // typed once more, or Data's “Train with it…”
        QTRY_VERIFY_WITH_TIMEOUT(!form->isPending() && !saysIt(), 60000);
        cut();
        mend();
        desk.workspace->actions().data->trigger();
        desk.workspace->actions().data->trigger(); // the form is shown again
        QTRY_VERIFY_WITH_TIMEOUT(!form->isPending() && !saysIt(), 60000);
        fs::copy_file(talk, whole, fs::copy_options::overwrite_existing);
        fs::resize_file(talk, 100); // no table was touched, so that Data alone has seen it
        desk.workspace->actions().data->trigger();
        desk.workspace->data()->readAgain();
        desk.workspace->actions().data->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(!form->isPending() && saysIt(), 60000);
        mend();
        Q_EMIT qGuiApp->applicationStateChanged(Qt::ApplicationActive);
        QTRY_VERIFY_WITH_TIMEOUT(!form->isPending() && !saysIt(), 60000);
    }

    /// It was read as a whole each time the window became active, because it had a mistake.
    void aCorpusWithMistakesIsReadAgainOnlyWhenItChanged() {
        Desk desk("good");
        const fs::path folder = makeCorpus(desk.shop.path() / "made"), talk = folder / "audio/talk.wav", whole = desk.shop.path() / "whole.wav",
                       gone = folder / "audio/gone.wav"; // of a row of dev
        LaunchForm* form = desk.workspace->form();
        form->chooseRecipe(desk.shop.resource("recipes/smoke.json"));
        for (const auto& [key, value] : {std::pair("data.trainSplit", "train"), {"data.validationSplit", "dev"}})
            form->values()->write(QString::fromLatin1(key), QString::fromLatin1(value));
        fs::copy_file(talk, whole);
        fs::resize_file(talk, 100);
        fs::last_write_time(talk, fs::last_write_time(talk) - std::chrono::minutes(1));
        form->setData(folder);
        QTRY_VERIFY_WITH_TIMEOUT(!form->isPending() && !form->mistakes()[QStringLiteral("data")].isEmpty(), 60000);
        auto* watch = form->findChild<CorpusWatch*>();
        QSignalSpy changed(watch, &CorpusWatch::changed);
        const auto activate = [&] {
            Q_EMIT qGuiApp->applicationStateChanged(Qt::ApplicationActive);
            QVERIFY(form->isPending());
            QTRY_VERIFY_WITH_TIMEOUT(!form->isPending(), 60000);
        };
        activate(); // what was written while it was read may be read once more
        changed.clear();
        activate();
        QCOMPARE(changed.count(), 0);
        fs::last_write_time(folder / "train_asr.tsv", fs::file_time_type::clock::now() + std::chrono::hours(24)); // of a clock that is ahead
        activate();
        QCOMPARE(changed.count(), 1);
        activate();
        QCOMPARE(changed.count(), 1);
        changed.clear();
        fs::copy_file(whole, talk, fs::copy_options::overwrite_existing);
        activate();
        QCOMPARE(changed.count(), 1);
        QCOMPARE(form->mistakes()[QStringLiteral("data")], QString());
        const auto note = [&] { return form->findChild<FormRow*>(QStringLiteral("data"))->note(); };
        QVERIFY2(note().contains(QStringLiteral("2 invalid rows")), qPrintable(note())); // one without a text, one without its recording
        saveWav(gone, std::vector<float>(66 * 160 + 240, 0.1F), kModelSampleRate); // as long as its row says
        activate();
        QVERIFY2(note().contains(QStringLiteral("1 invalid row")), qPrintable(note()));
    }

    /// Only the folder and what is directly in it were looked at: recordings that were put deeper changed nothing.
    void aFolderWithoutRecordingsIsReadAgainWhenTheyCome() {
        Desk desk("good");
        const fs::path folder = desk.shop.path() / "empty", deep = folder / "train/speaker1";
        fs::create_directories(deep);
        for (const fs::path& one : {deep, deep.parent_path(), folder}) // long ago
            fs::last_write_time(one, fs::last_write_time(one) - std::chrono::hours(1));
        LaunchForm* form = desk.workspace->form();
        form->setData(folder);
        const auto said = [&] { return form->mistakes()[QStringLiteral("data")]; };
        QTRY_VERIFY_WITH_TIMEOUT(!form->isPending() && !said().isEmpty(), 60000);
        const QString before = said();
        saveWav(deep / "one.wav", std::vector<float>(16000, 0.1F), kModelSampleRate);
        writeFile(deep / "one.txt", "the dog\n");
        Q_EMIT qGuiApp->applicationStateChanged(Qt::ApplicationActive);
        QTRY_VERIFY_WITH_TIMEOUT(!form->isPending() && said() != before, 60000);
    }

    /// A task that was set stays when other data is chosen.
    void aTaskThatTheCorpusLacksIsSaidWithWhereItIsSet() {
        const TrainWorkshop shop;
        Recipe recipe = TrainWorkshop::smoke();
        recipe.data.trainSplit = "train";
        recipe.data.validationSplit = "dev";
        const fs::path corpus = makeCorpus(shop.path() / "made");
        recipe.task = "st_fr";
        QCOMPARE(readDataFacts(corpus, recipe, {}).mistake, QStringLiteral("made has no task “st_fr”; it has “asr”, “st_de”. Set task in All values."));
        recipe.task = "st_de";
        QCOMPARE(readDataFacts(corpus, recipe, {}).mistake, QString());
    }
};

HEADROOM_TEST(CorpusMistakesTest)

} // namespace headroom::testing::corpus_mistakes_test

#include "corpus_mistakes_test.moc"
