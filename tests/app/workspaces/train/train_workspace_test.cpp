// SPDX-License-Identifier: GPL-3.0-or-later
// The Train workspace with a trainer that sleeps, crashes, prints rubbish, does not listen.
#include "app/documents/session.h"
#include "app/parts/dock.h"
#include "app/parts/panel_header.h"
#include "app/settings/app_settings.h"
#include "app/workspaces/train/curves_panel.h"
#include "app/workspaces/train/data/data_view.h"
#include "app/workspaces/train/launch_form.h"
#include "app/workspaces/train/recipe_model.h"
#include "app/workspaces/train/train_actions.h"
#include "app/workspaces/train/train_workspace.h"
#include "core/audio/audio_file.h"
#include "core/runs/jobs.h"
#include "tests/app/workspaces/train/train_desk.h"
#include "tests/support/runner.h"
#include "widgets/look/theme.h"
#include "widgets/run_monitor/queue_view.h"
#include "widgets/run_monitor/run_table.h"
#include "widgets/run_monitor/samples_view.h"

#include <QAction>
#include <QComboBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include <csignal>
#include <fstream>
#include <memory>
#include <unistd.h>

namespace headroom::testing::train_workspace_test {

using namespace headroom::app;
using headroom::widgets::QueueModel;
namespace fs = std::filesystem;

class TrainTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }

    void aRunIsSeenFromQueueToResult() {
        Desk desk("good");
        QCOMPARE(desk.start({1, 2}), QString());
        QVERIFY(QTest::qWaitFor([&] { return desk.workspace->queueView()->queue()->running() == 1; }, 60000));
        QCOMPARE(desk.workspace->queueView()->queue()->queued(), 1);
        desk.allow();
        QVERIFY(QTest::qWaitFor(
            [&] {
                const auto& runs = desk.workspace->store()->runs();
                return runs.size() == 2 && runs[0].info.state == RunState::Finished &&
                       runs[1].info.state == RunState::Finished;
            },
            60000));
        // Two seeds are one experiment, drawn without being asked for.
        QCOMPARE(desk.workspace->runTable()->runs()->rowCount(), 1);
        QCOMPARE(desk.workspace->runTable()->runs()->compared().size(), 1U);
        QCOMPARE(desk.workspace->findChild<Dock*>(QStringLiteral("runs"))->header()->detail(), QStringLiteral("2 in 1 experiment"));
        auto* loss = desk.workspace->curves()->plots().front();
        QVERIFY(QTest::qWaitFor([&] { return loss->valuesHere().size() == 1 && loss->drawnPoints() >= 60; }, 60000));
        QVERIFY(QTest::qWaitFor([&] {
            return desk.workspace->samples()->toPlainText().contains(QLatin1String("After update 20"));
        }, 60000));
        QVERIFY2(desk.said().contains(QStringLiteral("” finished after 20 updates: loss 1.500, WER 50.00\u202f%")),
                 qPrintable(desk.said()));
        QSignalSpy opened(desk.workspace.get(), &TrainWorkspace::openResultRequested);
        desk.workspace->actions().openResult->trigger();
        QCOMPARE(opened.size(), 1);
        QVERIFY(opened[0][0].value<fs::path>().filename() == "model");
    }

    void theFormBeginsWithTheDemoAndIsKeptInTheView() {
        Desk desk("good");
        QCOMPARE(desk.workspace->form()->values()->base().name, std::string("demo")); // not the aligner's recipe
        desk.workspace->form()->chooseRecipe(fs::path(HEADROOM_SOURCE_DIR) / "resources/recipes/smoke.json");
        desk.workspace->form()->setSeeds(QStringLiteral("4 5"));
        const nlohmann::json view = desk.workspace->viewState();
        desk.open(); // the next start of the program
        desk.workspace->restoreView(view);
        QCOMPARE(desk.workspace->form()->values()->base().name, std::string("smoke"));
        QVERIFY(desk.workspace->viewState() == view);
    }

    void theQueueOutlivesTheWindow() {
        Desk desk("good");
        QCOMPARE(desk.start(), QString());
        QVERIFY(desk.becomes(RunState::Running));
        desk.workspace.reset();
        // A session of its own: what ends with the window's terminal does not end it.
        std::ifstream stream(queueFolder(desk.shop.runs()) / "session.txt");
        long session = 0, process = 0;
        stream >> session >> process;
        QVERIFY(session > 0 && session != ::getsid(0));
        desk.allow();
        QVERIFY(desk.queueEnds());
        desk.open();
        QVERIFY(desk.becomes(RunState::Finished));
    }

    void stopSavesAndResumeGoesOn() {
        Desk desk("good");
        QCOMPARE(desk.start(), QString());
        QVERIFY(desk.reaches(1));
        QVERIFY(desk.workspace->actions().stop->isEnabled());
        desk.workspace->actions().stop->trigger();
        QVERIFY(!desk.workspace->actions().stop->isEnabled());
        QCOMPARE(desk.workspace->queueView()->queue()->kindAt(0), QueueModel::Kind::Stopping);
        QVERIFY(desk.becomes(RunState::Stopped));
        QVERIFY2(desk.said().contains(QLatin1String("was stopped")), qPrintable(desk.said()));
        QVERIFY(desk.queueEnds());
        desk.allow();
        QVERIFY(desk.workspace->actions().resume->isEnabled());
        desk.workspace->actions().resume->trigger();
        QVERIFY(desk.becomes(RunState::Finished));
        // The link of the message would resume a run that has gone on.
        QVERIFY2(!desk.said().contains(QLatin1String("was stopped")), qPrintable(desk.said()));
        QCOMPARE(desk.workspace->store()->runs().front().info.resumed, 1);
    }

    void aCrashIsSaidAndCanBeResumed() {
        Desk desk("crash");
        QCOMPARE(desk.start(), QString());
        QVERIFY(desk.becomes(RunState::Running));
        desk.allow();
        QVERIFY(desk.becomes(RunState::Interrupted));
        QVERIFY2(desk.said().contains(QLatin1String("stopped unexpectedly")), qPrintable(desk.said()));
        auto* view = desk.workspace->queueView();
        const int row = view->queue()->rowOf(desk.workspace->store()->runs().front().folder);
        QCOMPARE(view->queue()->kindAt(row), QueueModel::Kind::Interrupted);
        QCOMPARE(view->queue()->kindAt(row + 1), QueueModel::Kind::Sentence);
        QVERIFY(desk.workspace->actions().resume->isEnabled());
    }

    void rubbishAmongEventsHarmsNothing() {
        Desk desk("rubbish");
        desk.allow();
        QCOMPARE(desk.start(), QString());
        QVERIFY(desk.becomes(RunState::Finished));
        auto* loss = desk.workspace->curves()->plots().front();
        QVERIFY(QTest::qWaitFor([&] { return loss->drawnPoints() == 20; }, 60000));
        QCOMPARE(desk.workspace->store()->runs().front().update, 20);
        // Unticked and ticked again before anybody looks, as when a session is opened: its curves come back.
        desk.workspace->restoreView(desk.workspace->viewState());
        QVERIFY(QTest::qWaitFor([&] { return loss->drawnPoints() == 20; }, 60000));
    }

    void whoDoesNotListenIsShownAsStopping() {
        Desk desk("stubborn");
        QCOMPARE(desk.start(), QString());
        QVERIFY(desk.reaches(1));
        desk.workspace->actions().stop->trigger();
        QCOMPARE(desk.workspace->queueView()->queue()->kindAt(0), QueueModel::Kind::Stopping);
        desk.allow();
        QVERIFY(desk.becomes(RunState::Finished)); // and then it is through
        QVERIFY(desk.workspace->queue()->stopping().isEmpty());
    }

    void aWaitingJobIsTakenOutOfTheQueue() {
        Desk desk("good");
        QCOMPARE(desk.start({1, 2}), QString());
        auto* queue = desk.workspace->queueView()->queue();
        QVERIFY(QTest::qWaitFor([&] { return queue->running() == 1 && queue->queued() == 1; }, 60000));
        Q_EMIT desk.workspace->queueView()->asked(QueueModel::Button::Remove, queue->pathAt(1));
        QVERIFY(QTest::qWaitFor([&] { return queue->queued() == 0; }, 60000));
        desk.workspace->actions().stop->trigger();
        QVERIFY(desk.becomes(RunState::Stopped));
        QVERIFY(desk.queueEnds());
        QCOMPARE(desk.workspace->store()->runs().size(), 1U);
    }

    void aJobThatCouldNotBeStartedSaysWhy() {
        Desk desk("good");
        desk.shop.text(
            "runs/queue/failed/500000_x.json",
            R"({"format": "headroom/job", "version": 1, "run": "x", "error": "The corpus is not there."})");
        auto* queue = desk.workspace->queueView()->queue();
        QVERIFY(QTest::qWaitFor([&] { return queue->rowCount() == 2; }, 60000));
        QCOMPARE(queue->index(1, QueueModel::Job).data().toString(),
                 QStringLiteral("The corpus is not there."));
        Q_EMIT desk.workspace->queueView()->asked(QueueModel::Button::Remove, queue->pathAt(0));
        QVERIFY(QTest::qWaitFor([&] { return queue->rowCount() == 0; }, 60000));
    }

    void withoutAWorkerTheJobWaitsAndItIsSaid() {
        Desk desk("good");
        qputenv("HEADROOM_WORKER", "/nowhere/headroom-worker");
        const QString sentence = desk.start();
        QVERIFY2(sentence.contains(QLatin1String("/nowhere/headroom-worker")), qPrintable(sentence));
        auto* queue = desk.workspace->queueView()->queue();
        QVERIFY(QTest::qWaitFor([&] { return queue->queued() == 1; }, 60000));
        QVERIFY(desk.workspace->actions().startQueue->isEnabled());
        qputenv("HEADROOM_WORKER", HEADROOM_FAKE_TRAINER);
        desk.allow();
        desk.workspace->actions().startQueue->trigger();
        QVERIFY(desk.becomes(RunState::Finished));
    }

    /// A new session takes an opened architecture away: the weights chosen for it do not stay behind.
    void weightsLeaveWithTheArchitectureTheyWereChosenFor() {
        Desk desk("good");
        LaunchForm* form = desk.workspace->form();
        const auto* start = form->findChild<QComboBox*>(QStringLiteral("startFrom"));
        const DraftKey opened = desk.drafts.openDocument(TrainWorkshop::resource("recipes/smoke.architecture.json"));
        form->chooseDraft(opened);
        const fs::path run = desk.shop.run("2026-11-21T10-31_a_seed-1");
        desk.shop.text(RunPaths{run}.model() / "model.safetensors", "weights");
        QVERIFY(form->chooseStart(StartChoice::Kind::Whole, RunPaths{run}.model()));
        QVERIFY(start->currentIndex() > 0);
        desk.drafts.closeDocument(opened);
        QTRY_COMPARE(start->currentIndex(), 0);
    }

    void mistakesStandAtTheirFields() {
        Desk desk("good");
        LaunchForm* form = desk.workspace->form();
        auto* start = desk.workspace->findChild<QPushButton*>(QStringLiteral("startRuns"));
        QVERIFY(form->chooseRecipe(TrainWorkshop::resource("recipes/smoke.json")));
        QVERIFY(form->chooseArchitecture(TrainWorkshop::resource("recipes/smoke.architecture.json")));
        QVERIFY(!form->launch() && !start->isEnabled()); // no data yet
        const fs::path corpus = desk.shop.corpus();
        for (const char* sound : {"u0.wav", "u1.wav", "u2.wav"}) // which a run could read
            saveWav(corpus / sound, std::vector<float>(16000), kModelSampleRate);
        form->setData(corpus);
        QVERIFY(QTest::qWaitFor([&] { return !form->isPending(); }, 60000));
        // The recipe's splits are not those of a plain folder.
        QVERIFY2(form->mistakes().at(QStringLiteral("data")).contains(QLatin1String("train")),
                 qPrintable(form->mistakes().at("data")));
        form->values()->write("data.trainSplit", "all");
        form->values()->write("data.validationSplit", "all");
        QVERIFY(QTest::qWaitFor([&] { return form->launch().has_value(); }, 60000));
        QVERIFY(start->isEnabled());
        QCOMPARE(form->launch()->set.size(), 2U);
        form->setSeeds("1 b");
        QVERIFY(form->mistakes().at(QStringLiteral("seeds")).contains(QStringLiteral("“b”")));
        QVERIFY(!start->isEnabled());
        form->setSeeds("1-2");
        QCOMPARE(start->text(), QStringLiteral("Start 2 runs"));
        form->values()->write("data.maxBatchFrames", "x");
        QVERIFY(QTest::qWaitFor([&] { return form->mistakes().count(QStringLiteral("batch")) == 1; }, 60000));
        form->values()->takeBack("data.maxBatchFrames");
        const auto broken = desk.shop.text("broken.json", "{ \"format\": \"headroom/architecture\", ");
        QVERIFY(!form->chooseArchitecture(broken));
        QVERIFY(form->mistakes().at(QStringLiteral("architecture")).contains(QLatin1String("broken.json")));
        QVERIFY(!form->launch());
    }

    void whoIgnoresATerminationIsStillSeen() {
        Desk desk("stubborn");
        QCOMPARE(desk.start(), QString());
        QVERIFY(desk.reaches(1));
        std::ifstream stream(queueFolder(desk.shop.runs()) / "session.txt");
        long session = 0, process = 0;
        stream >> session >> process;
        QVERIFY(process > 1);
        QCOMPARE(::kill(static_cast<pid_t>(process), SIGTERM), 0);
        desk.allow(3);
        QVERIFY(desk.reaches(3)); // it goes on, and so do its curves
        QVERIFY(desk.workspace->store()->runs().front().info.state == RunState::Running);
        // A second start finds it at work and begins nothing beside it.
        QCOMPARE(desk.workspace->queue()->startProcess(), QString());
        desk.allow();
        QVERIFY(desk.becomes(RunState::Finished));
        QCOMPARE(desk.workspace->store()->runs().size(), 1U);
    }

    void resumingNeedsNothingElse() {
        Desk desk("good");
        const auto run = desk.shop.run("2026-11-21T10-00_old", RunState::Stopped);
        QVERIFY(QTest::qWaitFor([&] { return desk.workspace->store()->find(run) != nullptr; }, 60000));
        QVERIFY(desk.workspace->form()->chooseStart(StartChoice::Kind::Resume, run));
        auto* start = desk.workspace->findChild<QPushButton*>(QStringLiteral("startRuns"));
        QVERIFY(start->isEnabled());
        QCOMPARE(start->text(), QStringLiteral("Resume"));
        desk.allow();
        start->click();
        QVERIFY(desk.becomes(RunState::Finished));
    }

    void whatIsComparedIsFoundAgain() {
        Desk desk("good");
        desk.shop.run("a");
        QVERIFY(QTest::qWaitFor([&] { return desk.workspace->runTable()->runs()->rowCount() == 1; }, 60000));
        auto reading = desk.workspace->curves()->reading();
        reading.smoothing = 0.25;
        reading.logarithmic = true;
        desk.workspace->curves()->setReading(reading);
        QCOMPARE(desk.workspace->viewState()["score"], nlohmann::json("")); // which the panel chooses
        QComboBox* score = nullptr;
        for (auto* box : desk.workspace->curves()->findChildren<QComboBox*>())
            score = box->findData(QStringLiteral("validation.loss")) >= 0 ? box : score;
        score->setCurrentIndex(score->findData(QStringLiteral("validation.loss")));
        Q_EMIT score->activated(score->currentIndex()); // by the user
        const auto view = desk.workspace->viewState();
        desk.workspace.reset();
        desk.open();
        desk.workspace->restoreView(view);
        QVERIFY(desk.workspace->curves()->reading() == reading);
        QCOMPARE(desk.workspace->curves()->score(), QStringLiteral("validation.loss"));
        QCOMPARE(desk.workspace->runTable()->runs()->compared().size(), 1U);
        desk.workspace->restoreView(
            nlohmann::json::parse(R"({"smoothing": "much", "compared": 7, "score": "fame"})")); // a stranger's
        QVERIFY(desk.workspace->curves()->reading() == reading);
        QCOMPARE(desk.workspace->curves()->score(), QStringLiteral("validation.loss"));
    }

    /// Colours are given in the order in which experiments were ticked, also after a restart.
    void everyExperimentKeepsItsColour() {
        Desk desk("good");
        std::int64_t updates = 100; // three experiments
        for (const char* name : {"2026-11-21T10-00_a", "2026-11-21T10-01_b", "2026-11-21T10-02_c"}) {
            Recipe recipe = TrainWorkshop::smoke();
            recipe.length.maxUpdates = ++updates;
            desk.shop.run(name);
            desk.shop.text(fs::path("runs") / name / "recipe.json", canonicalText(recipe));
        }
        const auto ticked = [&] {
            QStringList keys;
            for (const auto* group : desk.workspace->runTable()->runs()->compared())
                keys << group->key;
            return keys;
        };
        QVERIFY(QTest::qWaitFor([&] { return desk.workspace->runTable()->runs()->rowCount() == 3 && !ticked().isEmpty(); }, 60000));
        auto* runs = desk.workspace->runTable()->runs();
        QStringList all;
        for (const auto& group : runs->groups())
            all << group.key;
        all.sort();
        for (const QStringList& order : {all, QStringList(all.rbegin(), all.rend())}) { // one of them is not the table's
            for (const QString& key : ticked())
                desk.workspace->runTable()->runs()->setCompared(key, false);
            for (const QString& key : order)
                desk.workspace->runTable()->runs()->setCompared(key, true);
            QCOMPARE(ticked(), order);
            const auto view = desk.workspace->viewState();
            desk.workspace.reset();
            desk.open();
            desk.workspace->restoreView(view);
            QTRY_COMPARE_WITH_TIMEOUT(ticked(), order, 60000);
        }
    }

    void emptyPanelsSayWhatToDo() {
        Desk desk("good");
        QCOMPARE(desk.workspace->statusText(), QStringLiteral("No runs yet. Set one up on the left."));
        for (QAction* action : {desk.workspace->actions().stop, desk.workspace->actions().resume,
                                desk.workspace->actions().openResult, desk.workspace->actions().remove})
            QVERIFY(!action->isEnabled());
        QVERIFY(!desk.workspace->actions().startQueue->isEnabled());
        for (const widgets::MetricPlot* plot : desk.workspace->curves()->plots())
            QCOMPARE(plot->accessibleDescription(), QStringLiteral("No runs yet")); // there is nothing to tick
        desk.workspace->curves()->setHasRuns(true);
        QCOMPARE(desk.workspace->curves()->plots().front()->accessibleDescription(), QStringLiteral("Tick runs below"));
    }

    /// It went with the session, though the corpus is still the same.
    void whatIsNotedOfACorpusOutlivesTheSession() {
        Desk desk("good");
        const auto sentence = QStringLiteral("made: 2 lines have no text.");
        Q_EMIT desk.workspace->findChild<DataView*>()->noted(desk.shop.path() / "made", sentence);
        desk.session.messages()->clear();
        QCOMPARE(desk.said(), sentence);
    }

    /// It stayed after the corpus was put right and read again.
    void whatIsNotedOfACorpusGoesWhenItIsPutRight() {
        Desk desk("good");
        auto* view = desk.workspace->data();
        const fs::path corpus = desk.shop.corpus();
        for (const char* sound : {"u0.wav", "u1.wav", "u2.wav"}) // without a defect
            saveWav(corpus / sound, std::vector<float>(16000), kModelSampleRate);
        const auto read = [&] {
            view->open(corpus);
            QTRY_VERIFY_WITH_TIMEOUT(!view->isPending(), 60000);
        };
        read();
        QVERIFY(view->current() && view->current()->summary.defects.empty());
        const auto sentence = QStringLiteral("corpus: 2 lines have no text.");
        Q_EMIT view->noted(corpus, sentence);
        read();
        QCOMPARE(desk.said(), sentence); // nothing was changed
        desk.shop.text(corpus / "README.md", "Corrected.");
        read();
        QCOMPARE(desk.said(), QString());
    }
};

HEADROOM_TEST(TrainTest)

} // namespace headroom::testing::train_workspace_test

#include "train_workspace_test.moc"
