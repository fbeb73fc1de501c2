// SPDX-License-Identifier: GPL-3.0-or-later
// A job that could not be started, for example because its place did not answer.
#include "app/documents/items/messages.h"
#include "app/runs/launch.h"
#include "app/workspaces/train/train_actions.h"
#include "tests/app/workspaces/train/train_desk.h"
#include "tests/support/runner.h"
#include "widgets/look/theme.h"
#include "widgets/run_monitor/queue_view.h"

#include <QAction>
#include <QTest>

namespace headroom::testing::not_started_test {

using namespace headroom::app;
using widgets::QueueModel;
namespace fs = std::filesystem;

class NotStartedTest : public QObject {
    Q_OBJECT

    /// A job of seed 7 that the queue has put aside, as it does.
    static fs::path putAside(Desk& desk) {
        qputenv("HEADROOM_WORKER", "/nowhere"); // the job waits
        (void)desk.start({7});
        const fs::path waiting = waitingJobs(desk.shop.runs()).front(), failed = failedJobs(desk.shop.runs()) / waiting.filename();
        Job job = readJob(waiting);
        job.error = "gpu-1 refuses connections.";
        writeJob(failed, job);
        fs::remove(waiting);
        desk.workspace->store()->lookNow();
        const QueueModel* queue = desk.workspace->queueView()->queue();
        const bool listed = QTest::qWaitFor([&] { return queue->rowOf(failed) >= 0; }, 60000);
        return listed ? failed : fs::path();
    }
    /// As the queue refuses to resume a run.
    static fs::path refuse(Desk& desk, const fs::path& run) {
        Job job;
        job.run = run;
        job.resume = true;
        job.error = "The corpus has changed.";
        const fs::path refused = failedJobs(desk.shop.runs()) / ("500000_" + run.filename().string() + ".json");
        writeJob(refused, job);
        desk.workspace->store()->lookNow();
        return refused;
    }
    static void letStart() { qputenv("HEADROOM_WORKER", HEADROOM_FAKE_TRAINER); }

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }

    /// It was called as another experiment, nothing told of it in Messages, and it had to be set up again in the form.
    void itKeepsItsNameAndStartsAgain() {
        Desk desk("good");
        desk.shop.run("2026-11-21T10-31_a_seed-1"); // of the same architecture, on other data
        QTRY_COMPARE_WITH_TIMEOUT(desk.workspace->store()->runs().size(), std::size_t(1), 60000);
        const fs::path failed = putAside(desk);
        QVERIFY(!failed.empty());
        auto* view = desk.workspace->queueView();
        const int row = view->queue()->rowOf(failed);
        const QString name = view->queue()->index(row, QueueModel::Job).data().toString();
        QVERIFY2(name.endsWith(QStringLiteral(", corpus, seed 7")), qPrintable(name));
        QTRY_VERIFY2_WITH_TIMEOUT(desk.said().contains(name + QStringLiteral("” was not started: gpu-1 refuses connections.")), qPrintable(desk.said()), 60000);
        QCOMPARE(view->queue()->buttonsAt(row + 1), (QList{QueueModel::Button::StartAgain}));
        QCOMPARE(view->queue()->index(row + 1, QueueModel::Job).data().toString(),
                 QStringLiteral("gpu-1 refuses connections. The job does not start by itself later; Start again tries once more."));

        view->setCurrentPath(failed);
        QCOMPARE(desk.workspace->currentRun(), failed);
        QAction* resume = desk.workspace->actions().resume;
        QVERIFY2(resume->isEnabled() && resume->toolTip().startsWith(QStringLiteral("Start this job again")), qPrintable(resume->toolTip()));
        letStart();
        desk.allow();
        resume->trigger();
        QVERIFY(!fs::exists(failed));
        QVERIFY2(!desk.said().contains(QStringLiteral("was not started")), qPrintable(desk.said()));
        QTRY_COMPARE_WITH_TIMEOUT(desk.workspace->store()->runs().size(), std::size_t(2), 60000);
        QVERIFY(desk.queueEnds());
    }

    /// It was called as it was before the user renamed the experiment.
    void itHasTheNameThatTheUserGaveItsExperiment() {
        Desk desk("good");
        const fs::path failed = putAside(desk), run = desk.shop.run("2026-11-21T10-31_a_seed-1");
        RunInfo info = readRun(run);
        info.data = (desk.shop.path() / "corpus").string(); // of the same experiment
        writeRun(run, info);
        const auto* store = desk.workspace->store();
        QTRY_COMPARE_WITH_TIMEOUT(store->runs().size(), std::size_t(1), 60000);
        QCOMPARE(desk.workspace->queue()->rename({run}, QStringLiteral("Baseline")), QString());
        QTRY_COMPARE_WITH_TIMEOUT(store->waiting().front().name, QStringLiteral("Baseline, seed 7"), 60000);
    }

    void itsMessageStartsItAgainToo() {
        Desk desk("good");
        const fs::path failed = putAside(desk);
        QVERIFY(!failed.empty());
        Messages* messages = desk.session.messages();
        QTRY_VERIFY_WITH_TIMEOUT(desk.said().contains(QStringLiteral("was not started")), 60000);
        letStart();
        desk.allow();
        for (int at = 0; at < messages->rowCount(); ++at)
            if (messages->at(at).sentence.contains(QStringLiteral("was not started"))) {
                messages->trigger(at);
                break;
            }
        QVERIFY(!fs::exists(failed));
        QTRY_COMPARE_WITH_TIMEOUT(desk.workspace->store()->runs().size(), std::size_t(1), 60000);
        QVERIFY(desk.queueEnds());
    }

    /// Another window had started it again.
    void itsMessageGoesWithTheJob() {
        Desk desk("good");
        const fs::path failed = putAside(desk);
        QVERIFY(!failed.empty());
        QTRY_VERIFY_WITH_TIMEOUT(desk.said().contains(QStringLiteral("was not started")), 60000);
        fs::remove(failed);
        QTRY_VERIFY2_WITH_TIMEOUT(!desk.said().contains(QStringLiteral("was not started")), qPrintable(desk.said()), 60000);
    }

    /// Its run stood there twice, the second time under another name and without its progress.
    void aRunThatWasNotResumedSaysWhy() {
        Desk desk("good");
        const fs::path run = desk.shop.run("2026-11-21T10-31_a_seed-1", RunState::Failed);
        desk.shop.run("2026-11-21T10-32_b_seed-2", RunState::Failed, 2);
        TrainWorkspace* workspace = desk.workspace.get();
        QTRY_COMPARE_WITH_TIMEOUT(workspace->store()->runs().size(), std::size_t(2), 60000);
        const auto* queue = workspace->queueView()->queue();
        QTRY_VERIFY_WITH_TIMEOUT(queue->rowOf(run) >= 0, 60000);
        const QString name = queue->index(queue->rowOf(run), QueueModel::Job).data().toString();
        const int rows = queue->rowCount();
        const fs::path refused = refuse(desk, run);
        QTRY_VERIFY2_WITH_TIMEOUT(desk.said().contains(u'“' + name + QStringLiteral("” was not resumed: The corpus has changed.")), qPrintable(desk.said()), 60000);
        const int row = queue->rowOf(run);
        QCOMPARE(queue->rowOf(refused), -1);
        QCOMPARE(queue->rowCount(), rows + 1); // the sentence
        QCOMPARE(queue->index(row, QueueModel::Job).data().toString(), name);
        QCOMPARE(queue->index(row, QueueModel::Step).data().toString(), QStringLiteral("40 of 120"));
        QCOMPARE(queue->index(row + 1, QueueModel::Job).data().toString(), QStringLiteral("Not resumed: The corpus has changed."));

        (void)enqueueResume(run); // what was said is of the last time
        QVERIFY(!fs::exists(refused));
        // Nothing is said of a run that is in the wastebasket.
        (void)refuse(desk, run);
        fs::remove(waitingJobs(desk.shop.runs()).front());
        fs::rename(run, desk.shop.runs().parent_path() / "wastebasket"); // at once: half of a run would still be one
        workspace->store()->lookNow();
        QTRY_COMPARE_WITH_TIMEOUT(workspace->store()->runs().size(), std::size_t(1), 60000);
        QCOMPARE(queue->rowOf(refused), -1);
    }

    /// Its message queued a run that was gone.
    void aRunThatIsGoneIsNotResumed() {
        Desk desk("good");
        const fs::path run = desk.shop.run("2026-11-21T10-31_a_seed-1", RunState::Failed);
        QTRY_COMPARE_WITH_TIMEOUT(desk.workspace->store()->runs().size(), std::size_t(1), 60000);
        refuse(desk, run);
        QTRY_VERIFY_WITH_TIMEOUT(desk.said().contains(QStringLiteral("was not resumed")), 60000);
        fs::remove_all(run);
        Messages* messages = desk.session.messages();
        for (int at = 0; at < messages->rowCount(); ++at)
            if (messages->at(at).sentence.contains(QStringLiteral("was not resumed"))) {
                messages->trigger(at);
                break;
            }
        QVERIFY2(desk.said().contains(QStringLiteral("is no longer in the runs folder")), qPrintable(desk.said()));
        QVERIFY(waitingJobs(desk.shop.runs()).empty());
    }

    /// The queue lists the runs that ended last, and those whose resuming was refused until they go on.
    void anOldRefusalListsNoOldRun() {
        Desk desk("good");
        for (int one = 0; one < 31; ++one)
            desk.shop.run("run-" + std::to_string(one), RunState::Stopped);
        const fs::path run = desk.shop.run("old", RunState::Finished);
        RunInfo info = readRun(run);
        info.created = info.started = "2026-11-20T10:00:00Z";
        writeRun(run, info);
        refuse(desk, run);
        const auto* queue = desk.workspace->queueView()->queue();
        QTRY_VERIFY_WITH_TIMEOUT(queue->rowOf(run) >= 0, 60000);
        info.started = "2099-11-20T10:00:00Z"; // in a terminal
        writeRun(run, info);
        desk.workspace->store()->lookNow();
        QTRY_COMPARE_WITH_TIMEOUT(queue->rowOf(run), -1, 60000);
    }

    /// What cannot be read cannot be started either.
    void aFileThatIsNoJobCanOnlyBeRemoved() {
        Desk desk("good");
        const fs::path failed = failedJobs(desk.shop.runs()) / "500000_x.json";
        writeFile(failed, R"({"error": "500000_x.json is not JSON."})");
        auto* view = desk.workspace->queueView();
        desk.workspace->store()->lookNow();
        QTRY_VERIFY_WITH_TIMEOUT(view->queue()->rowOf(failed) >= 0, 60000);
        const int row = view->queue()->rowOf(failed);
        QVERIFY(view->queue()->buttonsAt(row + 1).isEmpty());
        QCOMPARE(view->queue()->buttonsAt(row), (QList{QueueModel::Button::Remove}));
    }
};

HEADROOM_TEST(NotStartedTest)

} // namespace headroom::testing::not_started_test

#include "not_started_test.moc"
