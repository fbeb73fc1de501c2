// SPDX-License-Identifier: GPL-3.0-or-later
// A job that waits, chosen in Queue: the actions are of the row that is highlighted.
#include "app/runs/removed_job.h"
#include "app/workspaces/train/evaluate/evaluate_dialog.h"
#include "app/workspaces/train/train_actions.h"
#include "tests/app/workspaces/train/train_desk.h"
#include "tests/support/runner.h"
#include "widgets/look/theme.h"
#include "widgets/run_monitor/queue_view.h"
#include "widgets/run_monitor/run_table.h"

#include <QAction>
#include <QComboBox>
#include <QPushButton>
#include <QTest>

#include <memory>

namespace headroom::testing::waiting_job_test {

using namespace headroom::app;
namespace fs = std::filesystem;

class WaitingJobTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }

    /// It was highlighted, and Stop stopped another run.
    void actionsAreOfTheHighlightedJob() {
        Desk desk("good");
        const fs::path run = desk.shop.run("2026-11-21T10-31_a_seed-1");
        qputenv("HEADROOM_WORKER", "/nowhere"); // the job waits
        (void)desk.start({7});
        auto* view = desk.workspace->queueView();
        const fs::path job = waitingJobs(desk.shop.runs()).front();
        QTRY_VERIFY_WITH_TIMEOUT(view->queue()->rowOf(job) >= 0 && view->queue()->rowOf(run) >= 0, 60000);
        desk.workspace->setCurrentRun(run);
        const TrainActions& a = desk.workspace->actions();
        QVERIFY(a.resume->toolTip() == QStringLiteral("This run has finished.") && a.branch->isEnabled());
        view->setCurrentIndex(view->queue()->index(view->queue()->rowOf(job), 0));
        QCOMPARE(desk.workspace->currentRun(), job);
        for (const QAction* action :
             {a.pause, a.stop, a.resume, a.evaluate, a.openResult, a.branch, a.rename, a.runFolder, a.copyCommand, a.compare, a.reference, a.remove})
            QVERIFY2(!action->isEnabled() && action->toolTip().startsWith(QStringLiteral("This job ")),
                     qPrintable(action->text() + u' ' + action->toolTip()));
        QVERIFY2(a.stop->toolTip().contains(QStringLiteral("Remove it from the queue")), qPrintable(a.stop->toolTip()));
        QVERIFY(!a.compare->isChecked());
        QVERIFY2(desk.workspace->statusText().endsWith(QStringLiteral("seed 7: queued.")), qPrintable(desk.workspace->statusText()));
        QVERIFY(desk.workspace->runTable()->selectedKeys().isEmpty());
        QVERIFY(desk.workspace->store()->logOf().empty());
        // The next look changes nothing of that.
        desk.shop.run("2026-11-21T12-31_c_seed-1");
        QTRY_COMPARE_WITH_TIMEOUT(desk.workspace->store()->runs().size(), std::size_t(2), 60000);
        QCOMPARE(view->currentPath(), job);
        QCOMPARE(desk.workspace->currentRun(), job);
        // And a click on the run gives the actions back to it.
        view->setCurrentIndex(view->queue()->index(view->queue()->rowOf(run), 0));
        QCOMPARE(desk.workspace->currentRun(), run);
        QVERIFY(a.branch->isEnabled() && a.runFolder->isEnabled());
    }

    /// The model of another run was chosen, whose name differed in one number.
    void theDialogueSaysThatTheChosenJobHasNoModel() {
        Desk desk("good");
        const fs::path run = desk.shop.run("2026-11-21T10-31_a_seed-1");
        desk.shop.text(RunPaths{run}.model() / "model.safetensors", "weights");
        qputenv("HEADROOM_WORKER", "/nowhere"); // the job waits
        (void)desk.start({7});
        auto* view = desk.workspace->queueView();
        const fs::path job = waitingJobs(desk.shop.runs()).front();
        QTRY_VERIFY_WITH_TIMEOUT(view->queue()->rowOf(job) >= 0 && view->queue()->rowOf(run) >= 0, 60000);
        const auto asked = [&] {
            QAction* evaluate = desk.workspace->actions().evaluateModel;
            evaluate->setEnabled(true); // as while a model is open
            evaluate->trigger();
            return desk.workspace->findChild<EvaluateDialog*>();
        };
        view->setCurrentPath(job);
        std::unique_ptr<EvaluateDialog> dialog(asked());
        QTRY_VERIFY_WITH_TIMEOUT(!dialog->isPending(), 60000);
        QVERIFY(!dialog->request() && !dialog->startButton()->isEnabled());
        QVERIFY2(dialog->sentence().contains(QStringLiteral("seed 7” has not started, so it has no model yet.")), qPrintable(dialog->sentence()));
        QCOMPARE(dialog->modelField()->currentIndex(), -1);
        dialog->modelField()->setCurrentIndex(0);
        QVERIFY2(!dialog->sentence().contains(QStringLiteral("has not started")), qPrintable(dialog->sentence()));
        dialog.reset();
        view->setCurrentPath(run);
        dialog.reset(asked());
        QCOMPARE(dialog->modelField()->currentIndex(), 0);
        dialog.reset();
        fs::remove(RunPaths{run}.model() / "model.safetensors");
        RunInfo info = readRun(run);
        info.note = "is looked at again";
        writeRun(run, info);
        const fs::path other = desk.shop.run("2026-11-21T10-32_b_seed-2");
        desk.shop.text(RunPaths{other}.model() / "model.safetensors", "weights");
        QTRY_VERIFY_WITH_TIMEOUT(desk.workspace->store()->find(other) && desk.workspace->store()->find(other)->hasModel, 60000);
        QTRY_VERIFY_WITH_TIMEOUT(!desk.workspace->store()->find(run)->hasModel, 60000);
        dialog.reset(asked());
        QVERIFY2(dialog->sentence().contains(QStringLiteral("has no trained model yet")), qPrintable(dialog->sentence()));
    }

    /// A look between the two found neither the job nor its run, and another row was chosen for good.
    void theRunIsChosenThoughItsJobWasGoneBefore() {
        Desk desk("good");
        const fs::path old = desk.shop.run("2026-11-21T10-31_a_seed-1");
        auto* view = desk.workspace->queueView();
        QTRY_VERIFY_WITH_TIMEOUT(view->queue()->rowOf(old) >= 0, 60000);
        qputenv("HEADROOM_WORKER", "/nowhere");
        (void)desk.start({7});
        const fs::path job = waitingJobs(desk.shop.runs()).front(), run = desk.shop.runs() / readJob(job).run;
        QTRY_COMPARE_WITH_TIMEOUT(view->currentPath(), job, 60000);
        fs::remove(job);
        QTRY_COMPARE_WITH_TIMEOUT(desk.workspace->currentRun(), old, 60000);
        (void)desk.shop.run(run.filename().string());
        QTRY_COMPARE_WITH_TIMEOUT(desk.workspace->currentRun(), run, 60000);
        QCOMPARE(view->currentPath(), run);
    }

    void theRunThatAJobBecomesIsChosen() {
        Desk desk("good");
        const fs::path old = desk.shop.run("2026-11-21T10-31_a_seed-1");
        QTRY_VERIFY_WITH_TIMEOUT(desk.workspace->store()->find(old), 60000); // else it is taken for the run that is started
        qputenv("HEADROOM_WORKER", "/nowhere");
        (void)desk.start({7});
        (void)desk.start({8});
        auto* view = desk.workspace->queueView();
        const auto jobs = waitingJobs(desk.shop.runs());
        QTRY_COMPARE_WITH_TIMEOUT(view->queue()->queued(), 2, 60000);
        desk.workspace->setCurrentRun(old);
        view->setCurrentPath(jobs.back());
        QCOMPARE(desk.workspace->currentRun(), jobs.back());
        // It is moved to the front, where its file has another name.
        Q_EMIT view->asked(widgets::QueueModel::Button::Earlier, jobs.back());
        QTRY_VERIFY_WITH_TIMEOUT(view->queue()->rowOf(jobs.back()) < 0 && view->queue()->queued() == 2, 60000);
        const fs::path first = waitingJobs(desk.shop.runs()).front();
        QTRY_COMPARE_WITH_TIMEOUT(view->currentPath(), first, 60000);
        QCOMPARE(desk.workspace->currentRun(), first);
        const fs::path run = desk.shop.runs() / readJob(first).run;
        qputenv("HEADROOM_WORKER", HEADROOM_FAKE_TRAINER);
        desk.workspace->actions().startQueue->trigger();
        QTRY_COMPARE_WITH_TIMEOUT(desk.workspace->currentRun(), run, 60000);
        QCOMPARE(view->currentPath(), run);
        QTRY_VERIFY_WITH_TIMEOUT(desk.workspace->actions().stop->isEnabled(), 60000);
        desk.allow();
        QVERIFY(desk.queueEnds());
    }

    /// Its queue was ended, which stopped the run and left the job: “Queued, 0 of 120” stood beside “Stopped, 40 of 120”.
    void aRunThatWasStoppedWithItsQueueHasOneRow() {
        Desk desk("good");
        qputenv("HEADROOM_WORKER", "/nowhere");
        (void)desk.start({7});
        auto* view = desk.workspace->queueView();
        fs::path job = waitingJobs(desk.shop.runs()).front();
        const fs::path run = desk.shop.run(readJob(job).run.filename().string(), RunState::Stopped, 7);
        const auto* store = desk.workspace->store();
        const auto isListed = [&] { return store->find(run) && store->find(run)->isQueued && view->queue()->rowOf(run) >= 0; };
        QTRY_VERIFY_WITH_TIMEOUT(isListed(), 60000);
        QCOMPARE(view->queue()->rowCount(), 1);
        QCOMPARE(view->queue()->kindAt(0), widgets::QueueModel::Kind::Waiting);
        QCOMPARE(view->queue()->pathAt(0), job);
        QCOMPARE(view->queue()->index(0, widgets::QueueModel::Step).data().toString(), QStringLiteral("40 of 120"));
        QCOMPARE(store->find(run)->waitingSeeds.size(), std::size_t(0));

        RemovedJob removed; // and what was removed can be put back
        QCOMPARE(desk.workspace->queue()->removeWaiting(job, &removed), QString());
        QTRY_COMPARE_WITH_TIMEOUT(view->queue()->kindAt(0), widgets::QueueModel::Kind::Stopped, 60000);
        QCOMPARE(desk.workspace->queue()->putBack(removed, &job), QString());
        QTRY_VERIFY_WITH_TIMEOUT(isListed(), 60000);

        Job refused = readJob(job); // of the next queue
        fs::remove(job);
        refused.error = "The corpus has changed.";
        writeJob(failedJobs(desk.shop.runs()) / job.filename(), refused);
        QTRY_COMPARE_WITH_TIMEOUT(view->queue()->kindAt(0), widgets::QueueModel::Kind::Stopped, 60000);
        QCOMPARE(view->queue()->rowCount(), 2);
        QCOMPARE(view->queue()->index(1, widgets::QueueModel::Job).data().toString(), QStringLiteral("Not resumed: The corpus has changed."));
    }

    /// One that is taken out of the queue leaves the choice to a run.
    void aJobThatIsRemovedIsNotTheCurrentOne() {
        Desk desk("good");
        const fs::path run = desk.shop.run("2026-11-21T10-31_a_seed-1");
        qputenv("HEADROOM_WORKER", "/nowhere");
        (void)desk.start({7});
        auto* view = desk.workspace->queueView();
        const fs::path job = waitingJobs(desk.shop.runs()).front();
        QTRY_COMPARE_WITH_TIMEOUT(desk.workspace->currentRun(), job, 60000); // its row is chosen when it is asked for
        Q_EMIT view->asked(widgets::QueueModel::Button::Remove, job);
        QTRY_COMPARE_WITH_TIMEOUT(desk.workspace->currentRun(), run, 60000);
        QCOMPARE(view->currentPath(), run);
    }
};

HEADROOM_TEST(WaitingJobTest)

} // namespace headroom::testing::waiting_job_test

#include "waiting_job_test.moc"
