// SPDX-License-Identifier: GPL-3.0-or-later
// Runs that go to the wastebasket from the Train workspace.
#include "app/documents/session.h"
#include "app/runs/kept_names.h"
#include "app/runs/run_store.h"
#include "app/workspaces/train/train_actions.h"
#include "app/workspaces/train/train_workspace.h"
#include "core/places/run_place.h"
#include "tests/app/workspaces/train/train_desk.h"
#include "tests/support/environment.h"
#include "tests/support/runner.h"
#include "widgets/run_monitor/queue_view.h"
#include "widgets/run_monitor/run_table.h"

#include <QAction>
#include <QSignalSpy>
#include <QTest>
#include <QToolTip>

#include <fstream>

namespace headroom::testing::train_removals_test {

using namespace headroom::app;
namespace fs = std::filesystem;

namespace {

/// With a wastebasket of its own: by the desktop's standard it lies in the user's data folder.
struct RemovalDesk : Desk {
    RemovalDesk() : Desk("good") {}
    bool knows(const fs::path& run) const {
        return QTest::qWaitFor([&] { return workspace->store()->find(run) != nullptr; }, 60000);
    }
    void remove(const fs::path& run) {
        workspace->setCurrentRun(run);
        workspace->actions().remove->trigger();
    }

private:
    const QByteArray m_place = toQString(shop.path()).toLocal8Bit();
    const ChangedVariable m_home{"HOME", m_place}, m_data{"XDG_DATA_HOME", m_place + "/data"};
};

} // namespace

class TrainRemovalsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// It was told as news when the run came back.
    void whatWasRefusedIsForgotten() {
        RemovalDesk desk;
        const auto run = desk.shop.run("gone", RunState::Failed);
        QVERIFY(desk.knows(run));
        Job job;
        job.run = run;
        job.resume = true;
        job.error = "The corpus has changed.";
        const fs::path refused = failedJobs(desk.shop.runs()) / "500000_gone.json";
        writeJob(refused, job);
        desk.remove(run);
        QVERIFY(!fs::exists(run));
        QVERIFY(!fs::exists(refused));
    }

    /// Nothing said it, and what failed meanwhile in Analyse stayed after Undo.
    void theOpenModelOfADeletedRunIsSpokenOf() {
        RemovalDesk desk;
        const auto run = desk.shop.run("gone");
        desk.shop.text(RunPaths{run}.model() / "model.safetensors", "weights");
        QVERIFY(desk.knows(run));
        const ModelId model = desk.session.openModel(RunPaths{run}.model());
        QSignalSpy anew(&desk.session, &Session::modelRetried);
        desk.remove(run);
        QVERIFY2(desk.said().contains(QStringLiteral("to the wastebasket. Its model is open in Analyse")), qPrintable(desk.said()));
        QCOMPARE(anew.count(), 0);
        desk.session.messages()->trigger(0);
        QVERIFY(fs::exists(RunPaths{run}.model()));
        QCOMPARE(anew.count(), 1);
        QCOMPARE(anew.front().front().value<ModelId>(), model);
    }

    /// Nothing said it; later the job was not started.
    void theJobsThatNeedADeletedRunAreSpokenOf() {
        RemovalDesk desk;
        const auto run = desk.shop.run("gone"), other = desk.shop.run("other", RunState::Finished, 2);
        QVERIFY(desk.knows(run) && desk.knows(other));
        Launch launch = desk.shop.launch({7});
        launch.startFrom = RunPaths{run}.model().string() + ":encoder";
        enqueue(launch);
        launch.seeds = {8};
        launch.startFrom = run.string() + "@40"; // a branch, which was not seen
        enqueue(launch);
        EvaluationRequest evaluation;
        evaluation.model = RunPaths{run}.model();
        evaluation.data = "/corpora/demo";
        evaluation.split = "test";
        enqueueEvaluation(desk.shop.runs(), evaluation);
        desk.workspace->store()->lookNow();
        const auto* store = desk.workspace->store();
        QTRY_COMPARE_WITH_TIMEOUT(store->waiting().size(), std::size_t(3), 60000);
        QStringList jobs;
        for (const auto& job : store->waiting())
            jobs << u'“' + job.name + u'”';
        desk.workspace->runTable()->clearFocus(); // not all runs of a row
        desk.remove(other);
        QVERIFY2(!desk.said().contains(QStringLiteral("in the queue")), qPrintable(desk.said()));
        desk.remove(run);
        QVERIFY2(desk.said().contains(QStringLiteral("to the wastebasket. 3 jobs in the queue cannot start without it: ") + jobs.join(QStringLiteral(", ")) + u'.'),
                 qPrintable(desk.said()));
    }

    /// It was named and counted twice.
    void aJobThatNeedsTwoRemovedRunsIsNamedOnce() {
        RemovalDesk desk;
        const auto first = desk.shop.run("first"), second = desk.shop.run("second", RunState::Finished, 2);
        QVERIFY(desk.knows(first) && desk.knows(second));
        EvaluationRequest evaluation;
        evaluation.model = RunPaths{first}.model();
        evaluation.languageModel = RunPaths{second}.model();
        evaluation.data = "/corpora/demo";
        evaluation.split = "test";
        enqueueEvaluation(desk.shop.runs(), evaluation);
        desk.workspace->store()->lookNow();
        QTRY_COMPARE_WITH_TIMEOUT(desk.workspace->store()->waiting().size(), std::size_t(1), 60000);
        desk.workspace->setCurrentRun(first);
        desk.workspace->activateWindow();
        desk.workspace->runTable()->setFocus(); // both are seeds of its row
        QTRY_VERIFY_WITH_TIMEOUT(desk.workspace->runTable()->hasFocus(), 60000);
        desk.workspace->runTable()->selectAll();
        QTRY_VERIFY_WITH_TIMEOUT(desk.workspace->actions().remove->text().contains(u'2'), 60000);
        desk.workspace->actions().remove->trigger();
        QVERIFY2(desk.said().contains(QStringLiteral("” waits in the queue and cannot start without them.")), qPrintable(desk.said()));
    }

    /// It says the same as before: whoever closed it was asked whether to save.
    void undoOfARemovalLeavesTheSessionUnmodified() {
        RemovalDesk desk;
        const auto run = desk.shop.run("gone");
        desk.shop.text(RunPaths{run}.model() / "model.safetensors", "weights");
        QVERIFY(desk.knows(run));
        desk.session.openModel(RunPaths{run}.model());
        QTRY_VERIFY_WITH_TIMEOUT(!desk.session.isReading(), 60000);
        desk.session.saveAs(desk.shop.path() / "session");
        QVERIFY(!desk.session.isModified());
        desk.remove(run);
        desk.session.messages()->trigger(0);
        QTRY_VERIFY_WITH_TIMEOUT(!desk.session.isReading(), 60000);
        QVERIFY(!desk.session.isModified());
    }

    /// It undid an edit of a draft that one did not see.
    void undoAfterARemovalBringsTheRunBack() {
        RemovalDesk desk;
        const std::vector<fs::path> runs{desk.shop.run("one"), desk.shop.run("two")};
        for (const fs::path& run : runs)
            QVERIFY(desk.knows(run));
        desk.drafts.newDocument(TrainWorkshop::tiny(), {});
        desk.drafts.write(desk.drafts.current(), {{1, 1, 1, QStringLiteral("local 5")}});
        const HeadGrid edited = desk.drafts.grid(desk.drafts.current());
        desk.session.saveAs(desk.shop.path() / "session");
        desk.workspace->runTable()->clearFocus(); // not all runs of a row
        for (const fs::path& run : runs) {
            desk.remove(run);
            QVERIFY(!fs::exists(run));
        }
        QVERIFY(!desk.session.isModified()); // runs are no part of it
        QVERIFY2(desk.actions.undo->text().startsWith(QStringLiteral("Undo removal of ")), qPrintable(desk.actions.undo->text()));
        const QString offered = desk.session.messages()->at(0).sentence;
        desk.actions.undo->trigger();
        QVERIFY(fs::exists(runs[1] / "run.json") && !fs::exists(runs[0]));
        QVERIFY2(!desk.said().contains(offered), qPrintable(desk.said())); // the status bar offers no other Undo
        desk.actions.redo->trigger();
        QVERIFY(!fs::exists(runs[1]));
        desk.actions.undo->trigger();
        desk.actions.undo->trigger();
        QVERIFY(fs::exists(runs[0] / "run.json") && fs::exists(runs[1] / "run.json"));
        QVERIFY(desk.drafts.grid(desk.drafts.current()) == edited);
        QVERIFY(!desk.session.isModified());
        desk.actions.undo->trigger();
        QVERIFY(!(desk.drafts.grid(desk.drafts.current()) == edited));
        QVERIFY(desk.session.isModified());
    }

    /// What cannot come back stays offered by its message, and no key moves what lies there now.
    void aRunThatCannotComeBackStaysInTheWastebasket() {
        RemovalDesk desk;
        const auto run = desk.shop.run("gone");
        QVERIFY(desk.knows(run));
        desk.remove(run);
        fs::create_directories(run);
        desk.actions.undo->trigger();
        QVERIFY2(desk.said().contains(QStringLiteral("exists again")), qPrintable(desk.said()));
        QVERIFY(!desk.actions.undo->isEnabled() && !desk.actions.redo->isEnabled());
        fs::remove(run);
        int row = 0;
        while (desk.session.messages()->at(row).actionText != QStringLiteral("Undo"))
            QVERIFY(++row < desk.session.messages()->rowCount());
        desk.session.messages()->trigger(row);
        QVERIFY(fs::exists(run / "run.json"));
    }

    /// Its settings were lost, without a word.
    void aJobThatLeftTheQueueComesBack() {
        RemovalDesk desk;
        const ChangedVariable noWorker{"HEADROOM_WORKER", "/nowhere"}; // the jobs wait
        (void)desk.start({1, 2, 3});
        const auto jobs = waitingJobs(desk.shop.runs());
        QCOMPARE(jobs.size(), std::size_t(3));
        const Job before = readJob(jobs[1]);
        const std::string recipe = canonicalText(readRecipe(before.recipe));
        const QString called = keptName(before.run);
        QTRY_COMPARE_WITH_TIMEOUT(desk.workspace->store()->waiting().size(), std::size_t(3), 60000);
        desk.session.saveAs(desk.shop.path() / "session");
        Q_EMIT desk.workspace->queueView()->asked(widgets::QueueModel::Button::Remove, jobs[1]);
        QCOMPARE(waitingJobs(desk.shop.runs()), (std::vector{jobs[0], jobs[2]}));
        QVERIFY(!fs::exists(before.recipe) && !desk.session.isModified());
        QVERIFY2(desk.said().contains(QStringLiteral("seed 2” from the queue.")), qPrintable(desk.said()));
        QCOMPARE(desk.session.messages()->at(0).actionText, QStringLiteral("Undo"));
        desk.actions.undo->trigger();
        QCOMPARE(waitingJobs(desk.shop.runs()), jobs); // in its place
        QVERIFY(readJob(jobs[1]).seed == before.seed && fs::exists(before.architecture));
        QCOMPARE(canonicalText(readRecipe(before.recipe)), recipe);
        QCOMPARE(keptName(before.run), called);
        desk.actions.redo->trigger();
        QVERIFY(!fs::exists(jobs[1]));
        // A run that got its folder meanwhile is left alone.
        desk.shop.run(before.run.filename().string());
        desk.actions.undo->trigger();
        QVERIFY(!fs::exists(jobs[1]) && !fs::exists(before.recipe));
        QVERIFY2(desk.said().contains(QStringLiteral("another run has its folder")), qPrintable(desk.said()));
    }

    /// × of a job at another place could not be taken back, and nothing said so.
    void aRunThatWaitsAtAPlaceComesBackAsANewOne() {
        RemovalDesk desk;
        const ChangedVariable noWorker{"HEADROOM_WORKER", "/nowhere"}; // the job waits
        Launch launch = desk.shop.launch({3});
        launch.place = "cluster";
        (void)desk.workspace->queue()->start(launch);
        const fs::path job = waitingJobs(desk.shop.runs()).front();
        const Job before = readJob(job);
        RunPlace place;
        place.place.name = "cluster";
        place.place.kind = Place::Kind::Slurm;
        place.place.folder = "~/headroom";
        place.begun = true; // handed over
        place.contact = RunPlace::Contact::Waiting;
        writeRunPlace(before.run, place);
        const RunStore* store = desk.workspace->store();
        QTRY_VERIFY_WITH_TIMEOUT(!store->waiting().empty() && store->waiting().front().there == widgets::Elsewhere::There::Waiting, 60000);
        Q_EMIT desk.workspace->queueView()->asked(widgets::QueueModel::Button::Remove, job);
        QVERIFY(fs::exists(job) && requestOf(before.run) == RunRequest::Stop);
        QVERIFY2(desk.said().contains(QStringLiteral("Asked cluster to remove “")), qPrintable(desk.said()));
        fs::remove(job); // as the queue does when the place has given it back
        desk.actions.undo->trigger();
        const auto jobs = waitingJobs(desk.shop.runs());
        QCOMPARE(jobs.size(), std::size_t(1));
        const Job again = readJob(jobs.front());
        QVERIFY(again.run != before.run && requestOf(again.run) == RunRequest::None);
        QVERIFY(again.seed == before.seed && again.place == before.place && fs::exists(again.architecture));
        QCOMPARE(canonicalText(readRecipe(again.recipe)), canonicalText(launch.recipe));
        QCOMPARE(keptName(again.run), keptName(before.run));
        desk.actions.redo->trigger(); // it is not there yet
        QVERIFY(waitingJobs(desk.shop.runs()).empty());
        desk.actions.undo->trigger();
        QCOMPARE(waitingJobs(desk.shop.runs()).size(), std::size_t(1));
    }

    /// “Asked  to remove …”
    void thePlaceIsNamedBeforeTheRowIsThere() {
        RemovalDesk desk;
        Job job;
        job.run = desk.shop.runs() / "elsewhere";
        job.resume = true;
        RunPlace place;
        place.place.name = "cluster";
        place.place.kind = Place::Kind::Slurm;
        place.place.folder = "~/headroom";
        place.begun = true;
        place.contact = RunPlace::Contact::Waiting;
        writeRunPlace(job.run, place);
        const fs::path file = nextJobFile(desk.shop.runs(), job.run);
        writeJob(file, job);
        QVERIFY(!desk.workspace->store()->findWaiting(file));
        Q_EMIT desk.workspace->queueView()->asked(widgets::QueueModel::Button::Remove, file);
        QVERIFY2(desk.said().contains(QStringLiteral("Asked cluster to remove “")), qPrintable(desk.said()));
    }

    /// The job left the queue, though its place had not been asked.
    void aRunWhosePlaceCannotBeAskedStaysInTheQueue() {
        RemovalDesk desk;
        const ChangedVariable noWorker{"HEADROOM_WORKER", "/nowhere"};
        Launch launch = desk.shop.launch({3});
        launch.place = "cluster";
        (void)desk.workspace->queue()->start(launch);
        const fs::path job = waitingJobs(desk.shop.runs()).front(), run = readJob(job).run;
        RunPlace place;
        place.place.name = "cluster";
        place.place.kind = Place::Kind::Slurm;
        place.place.folder = "~/headroom";
        place.begun = true;
        place.contact = RunPlace::Contact::Waiting;
        writeRunPlace(run, place);
        fs::create_directory(RunPaths{run}.control()); // nothing can be written there
        RemovedJob removed;
        QVERIFY(!desk.workspace->queue()->removeWaiting(job, &removed).isEmpty());
        QVERIFY(fs::exists(job));
        QVERIFY(removed.file.empty());
    }

    /// It did nothing, and said nothing.
    void theDeleteKeyOnARunningRunSaysWhyNot() {
        Desk desk("good");
        desk.start();
        QVERIFY(desk.becomes(RunState::Running));
        auto* table = desk.workspace->runTable();
        QTRY_COMPARE_WITH_TIMEOUT(table->runs()->rowCount(), 1, 60000);
        desk.workspace->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(desk.workspace.get()));
        table->setFocus();
        QTRY_VERIFY_WITH_TIMEOUT(!desk.workspace->actions().remove->isEnabled(), 60000);
        QTest::keyClick(table, Qt::Key_Delete);
        QCOMPARE(QToolTip::text(), QStringLiteral("This run is running. Stop it first."));
        QToolTip::hideText();
        desk.allow();
        QVERIFY(desk.queueEnds());
    }

    void aDeletedRunIsInTheWastebasket() {
        RemovalDesk desk;
        const auto run = desk.shop.run("gone");
        QVERIFY(desk.knows(run));
        desk.remove(run);
        const fs::path basket = desk.shop.path() / "data" / "Trash";
        QVERIFY(!fs::exists(run));
        QVERIFY(fs::exists(basket / "files" / "gone" / "run.json"));
        std::ifstream note(basket / "info" / "gone.trashinfo");
        const std::string text((std::istreambuf_iterator<char>(note)), {});
        QVERIFY2(text.find("runs/gone") != std::string::npos, text.c_str()); // where it goes back to
        QVERIFY2(desk.said().contains(QLatin1String("to the wastebasket.")), qPrintable(desk.said()));
        QVERIFY(QTest::qWaitFor([&] { return desk.workspace->store()->runs().empty(); }, 60000));
        QCOMPARE(desk.session.messages()->at(0).actionText, QStringLiteral("Undo"));
        desk.session.messages()->trigger(0);
        QVERIFY(fs::exists(run / "run.json") && !fs::exists(basket / "info" / "gone.trashinfo"));
        QVERIFY(desk.knows(run));
        desk.remove(run);
        QVERIFY(QTest::qWaitFor([&] { return desk.workspace->store()->runs().empty(); }, 60000));

        // What is being written stays.
        QCOMPARE(desk.start(), QString());
        QVERIFY(desk.reaches(1));
        const auto running = desk.workspace->store()->runs().front().folder;
        desk.workspace->setCurrentRun(running);
        QVERIFY(desk.workspace->queue()->moveToWastebasket(running).contains(QLatin1String("Stop it first")));
        QVERIFY(fs::exists(running / "run.json"));
        QCOMPARE(desk.workspace->queue()->stop(running), QString());
        QVERIFY(desk.becomes(RunState::Stopped));
    }
};

HEADROOM_TEST(TrainRemovalsTest)

} // namespace headroom::testing::train_removals_test

#include "train_removals_test.moc"
