// SPDX-License-Identifier: GPL-3.0-or-later
// From a corpus with one split to one with dev, where Train says that it has none. With the real worker.
#include "app/workspaces/train/data/data_view.h"
#include "app/workspaces/train/data/import_dialog.h"
#include "app/workspaces/train/launch_form.h"
#include "app/workspaces/train/recipe_model.h"
#include "app/workspaces/train/train_actions.h"
#include "core/audio/audio_file.h"
#include "core/corpus/corpus.h"
#include "tests/app/workspaces/train/train_desk.h"
#include "tests/support/made_corpus.h"
#include "tests/support/runner.h"

#include <QAction>
#include <QDir>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>

namespace headroom::testing::hold_out_test {

using namespace headroom::app;
namespace fs = std::filesystem;

namespace {

/// Recordings with texts beside them, in no split.
fs::path recordings(const TrainWorkshop& shop) {
    for (int i = 0; i < 40; ++i) {
        const std::string name = "plain/u" + std::to_string(i);
        shop.text(name + ".txt", "the dog sees a cat near her house today");
        saveWav(shop.path() / (name + ".wav"), std::vector<float>(16000, 0.1F), kModelSampleRate);
    }
    return shop.path() / "plain";
}

/// Four of each of three speakers, all for training.
fs::path threeSpeakers(const TrainWorkshop& shop) {
    fs::create_directories(shop.path() / "three");
    std::string rows = "audio,text,speaker\n";
    for (int i = 0; i < 12; ++i) {
        const std::string name = "u" + std::to_string(i) + ".wav";
        saveWav(shop.path() / "three" / name, std::vector<float>(16000, 0.1F), kModelSampleRate);
        rows += name + ",the dog sees a cat near her house today,s" + std::to_string(i % 3) + "\n";
    }
    shop.text("three/list.csv", rows);
    return shop.path() / "three";
}

bool isRead(const LaunchForm* form) {
    return QTest::qWaitFor([&] { return !form->isPending(); }, 60000);
}

} // namespace

class HoldOutTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// The button opened a dialogue that refused the same folder.
    void aFolderThatIsRefusedIsNotRead() {
        Desk desk("good");
        LaunchForm* form = desk.workspace->form();
        recordings(desk.shop);
        const QString before = QDir::currentPath();
        QDir::setCurrent(toQString(desk.shop.path())); // where the program was started
        form->setData("plain");
        const bool wasRead = isRead(form);
        QDir::setCurrent(before);
        QVERIFY(wasRead);
        QCOMPARE(form->mistakes()[QStringLiteral("data")], QStringLiteral("plain is not a full path. Begin it with / or ~/."));
        QVERIFY(!form->findChild<QPushButton*>(QStringLiteral("holdOut"))->isVisibleTo(form));
    }

    void theFormHoldsOutDev() {
        Desk desk("good");
        qputenv("HEADROOM_WORKER", HEADROOM_REAL_WORKER);
        LaunchForm* form = desk.workspace->form();
        auto* button = form->findChild<QPushButton*>(QStringLiteral("holdOut"));
        form->setData(recordings(desk.shop));
        QVERIFY(isRead(form));
        QVERIFY2(form->mistakes()[QStringLiteral("data")].endsWith(QStringLiteral(
                     "plain has neither the split “train” nor “dev”; it has “all”. Hold out a part for dev, or set data.trainSplit and data.validationSplit in All values.")),
                 qPrintable(form->mistakes()[QStringLiteral("data")]));
        QVERIFY(button->isVisibleTo(form));
        // Whoever followed that advice is warned, and can still hold out.
        form->values()->write(QStringLiteral("data.trainSplit"), QStringLiteral("all"));
        form->values()->write(QStringLiteral("data.validationSplit"), QStringLiteral("all"));
        QVERIFY(isRead(form));
        QCOMPARE(form->mistakes()[QStringLiteral("data")], QString());
        QVERIFY(button->isVisibleTo(form));
        button->click();
        auto* dialog = desk.workspace->data()->findChild<ImportDialog*>();
        QVERIFY(dialog && dialog->isVisible());
        QCOMPARE(dialog->request().from, desk.shop.path() / "plain");
        QCOMPARE(dialog->request().out, desk.shop.path() / "plain-split");
        QSignalSpy imported(dialog, &ImportDialog::imported);
        dialog->startButton()->click();
        QTRY_VERIFY_WITH_TIMEOUT(imported.count() == 1, 120000); // then the dialogue is gone
        QVERIFY(!desk.workspace->data()->isVisible()); // one is where one was
        QVERIFY(isRead(form));
        QCOMPARE(form->data(), desk.shop.path() / "plain-split");
        QCOMPARE(form->mistakes()[QStringLiteral("data")], QString()); // the recipe's splits again
        QVERIFY(!button->isVisibleTo(form));
        const auto corpus = Corpus::open(form->data());
        QCOMPARE(corpus.utterances("train", "asr").size(), std::size_t(38));
        QCOMPARE(corpus.utterances("dev", "asr").size(), std::size_t(2)); // 5 %
    }

    /// A third of the corpus was held out where a fifth was wanted, and the window did not say so.
    void theWindowSaysWhatIsHeldOut() {
        Desk desk("good");
        qputenv("HEADROOM_WORKER", HEADROOM_REAL_WORKER);
        ImportDialog* dialog = desk.workspace->data()->askHoldOut(threeSpeakers(desk.shop));
        dialog->setPieces(QStringLiteral("0"));
        dialog->open();
        QTRY_VERIFY(dialog->plan().contains(QStringLiteral("will be divided by recording")));
        dialog->setHeldOut(50, 0); // 5 remained of it
        QCOMPARE(dialog->request().heldOut.front().percent, 50.0);
        dialog->setHeldOut(60, 40);
        QCOMPARE(dialog->sentence(), QStringLiteral("Something must remain to train on: hold out less than 100\u202f%."));
        QVERIFY(!dialog->startButton()->isEnabled());
        dialog->setHeldOut(20, 0);
        QVERIFY(dialog->startButton()->isEnabled());
        const QString parts = QStringLiteral(
            "by speaker: train 8 utterances of 2 speakers, dev 4 of 1. dev is 33.3\u202f% instead of 20\u202f%, because speakers stay together.");
        QTRY_VERIFY2(dialog->plan().endsWith(QStringLiteral("will be divided ") + parts), qPrintable(dialog->plan()));
        const auto labels = dialog->findChildren<QLabel*>();
        const auto plan = std::ranges::find_if(labels, [](const QLabel* label) { return label->text().contains(QStringLiteral("will be divided")); });
        QVERIFY(plan != labels.end());
        QTRY_VERIFY2((*plan)->height() >= (*plan)->heightForWidth((*plan)->width()), "its lines are cut");
        QSignalSpy imported(dialog, &ImportDialog::imported);
        dialog->startButton()->click();
        QTRY_VERIFY_WITH_TIMEOUT(imported.count() == 1, 120000);
        LaunchForm* form = desk.workspace->form();
        form->setData(desk.shop.path() / "three-split");
        QVERIFY(isRead(form));
        const auto says = [&](const QWidget* where) {
            return std::ranges::any_of(where->findChildren<QLabel*>(), [&](const QLabel* label) {
                return label->isVisibleTo(where) && label->text().remove(QChar(0x200B)).contains(QStringLiteral("was divided ") + parts);
            });
        };
        QVERIFY(says(form));
        DataView* view = desk.workspace->data();
        QVERIFY(QTest::qWaitFor([&] { return view->current() && !view->isPending(); }, 60000));
        QVERIFY(says(view));
        QVERIFY2(!desk.said().contains(QStringLiteral("was divided")), qPrintable(desk.said())); // nothing to be warned of
    }

    void dataOffersItForCorporaWithOneSplit() {
        Desk desk("good");
        desk.workspace->actions().data->trigger();
        DataView* view = desk.workspace->data();
        const auto offered = [&] {
            for (const auto* button : view->findChildren<QPushButton*>())
                if (button->text() == QStringLiteral("Hold out dev…"))
                    return button->isVisibleTo(view);
            return false;
        };
        view->open(recordings(desk.shop));
        QVERIFY(QTest::qWaitFor([&] { return view->current() && !view->isPending(); }, 60000));
        QVERIFY(offered());
        QVERIFY2(view->trainButton()->toolTip().contains(QStringLiteral("this corpus has “all”. Hold out a part for dev, or set")),
                 qPrintable(view->trainButton()->toolTip()));
        const fs::path made = makeCorpus(desk.shop.path() / "made");
        view->open(made);
        QVERIFY(QTest::qWaitFor([&] { return view->current()->folder == made && !view->isPending(); }, 60000));
        QVERIFY(!offered());
    }

    /// Data offered it where the form did not: of two recordings, one alone could be trained on.
    void neitherOffersItWhereOneRecordingHasAText() {
        Desk desk("good");
        const fs::path folder = desk.shop.path() / "single";
        desk.shop.text("single/u0.txt", "the dog sees a cat near her house today");
        for (const char* name : {"u0.wav", "u1.wav"})
            saveWav(folder / name, std::vector<float>(16000, 0.1F), kModelSampleRate);
        desk.workspace->form()->setData(folder);
        QVERIFY(isRead(desk.workspace->form()));
        QVERIFY(!desk.workspace->form()->findChild<QPushButton*>(QStringLiteral("holdOut"))->isVisibleTo(desk.workspace->form()));
        desk.workspace->actions().data->trigger();
        DataView* view = desk.workspace->data();
        view->open(folder);
        QVERIFY(QTest::qWaitFor([&] { return view->current() && !view->isPending(); }, 60000));
        QCOMPARE(view->current()->summary.utterances(), 2);
        for (const auto* button : view->findChildren<QPushButton*>())
            QVERIFY(button->text() != QStringLiteral("Hold out dev…") || !button->isVisibleTo(view));
        QVERIFY2(view->trainButton()->toolTip().contains(QStringLiteral("this corpus has “all”. Set data.trainSplit and")),
                 qPrintable(view->trainButton()->toolTip()));
    }

    void cleanup() { qunsetenv("HEADROOM_WORKER"); }
};

HEADROOM_TEST(HoldOutTest)

} // namespace headroom::testing::hold_out_test

#include "hold_out_test.moc"
