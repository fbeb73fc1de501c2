// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/train/curves_panel.h"
#include "app/workspaces/train/train_actions.h"
#include "tests/app/workspaces/train/train_desk.h"
#include "tests/support/runner.h"
#include "widgets/curves/curve_key.h"
#include "widgets/run_monitor/queue_view.h"
#include "widgets/run_monitor/run_table.h"

#include <QAction>
#include <QSignalSpy>
#include <QTest>

namespace headroom::testing::stopped_seeds_test {

namespace {

/// What the key of the curves says behind the first name.
QString detailOf(const Desk& desk) {
    for (const auto* key : desk.workspace->findChild<app::CurvesPanel*>()->findChildren<widgets::CurveKey*>())
        if (!key->entries().empty())
            return key->entries().front().detail;
    return {};
}

} // namespace

class StoppedSeedsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// "0 of 2 seeds" was said of two that had been stopped; paused, queued and running ones were named.
    void theKeyOfTheCurvesNamesThem() {
        Desk desk("good");
        desk.shop.run("a1", RunState::Stopped, 1);
        desk.shop.run("a2", RunState::Stopped, 2);
        desk.shop.run("a3", RunState::Finished, 3);
        desk.shop.run("a4", RunState::Failed, 4);
        auto* table = desk.workspace->runTable()->runs();
        QTRY_VERIFY_WITH_TIMEOUT(desk.workspace->store()->runs().size() == 4 && table->rowCount() == 1, 60000);
        table->setCompared(table->groups()[0].key, true);
        QTRY_COMPARE_WITH_TIMEOUT(detailOf(desk), QStringLiteral("1 of 4 seeds, 2 stopped, 1 failed"), 60000);
    }

    /// The menu in Runs was of seed 1, which had finished, and the stopped seeds could be resumed from Queue alone.
    void stoppedSeedsAreResumedFromTheirRow() {
        Desk desk("good");
        const auto first = desk.shop.run("a1", RunState::Finished, 1);
        const auto second = desk.shop.run("a2", RunState::Stopped, 2);
        desk.workspace->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(desk.workspace.get()));
        auto* table = desk.workspace->runTable();
        QTRY_VERIFY_WITH_TIMEOUT(desk.workspace->store()->runs().size() == 2 && table->runs()->rowCount() == 1, 60000);
        desk.workspace->setCurrentRun(first);
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(table->model()->index(0, widgets::RunTableModel::Name)).center());
        const app::TrainActions& a = desk.workspace->actions();
        QVERIFY(!a.resume->isEnabled());
        QVERIFY(a.resumeOthers->isVisible() && table->actions().contains(a.resumeOthers));
        QCOMPARE(a.resumeOthers->text(), QStringLiteral("Resume seed 2"));
        desk.shop.run("a3", RunState::Interrupted, 3);
        QTRY_COMPARE_WITH_TIMEOUT(a.resumeOthers->text(), QStringLiteral("Resume 2 other runs"), 60000);
        QVERIFY2(a.resumeOthers->toolTip().startsWith(QStringLiteral("seed 2; seed 3: ")), qPrintable(a.resumeOthers->toolTip()));
        qputenv("HEADROOM_WORKER", "/nowhere"); // the jobs wait
        a.resumeOthers->trigger();
        QTRY_COMPARE_WITH_TIMEOUT(waitingJobs(desk.shop.runs()).size(), std::size_t(2), 60000);
        QCOMPARE(readJob(waitingJobs(desk.shop.runs()).front()).run, second);
        QTRY_VERIFY_WITH_TIMEOUT(!a.resumeOthers->isVisible(), 60000);
    }

    /// Ctrl+R did nothing in Queue but record, and in Runs nothing at all.
    void theKeyOfResumeIsThatOfTheWholeWorkspace() {
        Desk desk("good");
        const auto run = desk.shop.run("a1", RunState::Stopped, 1);
        qputenv("HEADROOM_WORKER", "/nowhere"); // the job waits
        desk.workspace->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(desk.workspace.get()));
        QTRY_COMPARE_WITH_TIMEOUT(desk.workspace->runTable()->runs()->rowCount(), 1, 60000);
        desk.workspace->setCurrentRun(run);
        QTRY_VERIFY_WITH_TIMEOUT(desk.workspace->actions().resume->isEnabled(), 60000);
        QSignalSpy resumed(desk.workspace->actions().resume, &QAction::triggered);
        QWidget* queue = desk.workspace->queueView();
        queue->setFocus();
        QTest::keyClick(queue, Qt::Key_R, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(resumed.count(), 1);
        QTRY_COMPARE_WITH_TIMEOUT(waitingJobs(desk.shop.runs()).size(), std::size_t(1), 60000);
    }

    /// "0 of 1 seeds, 1 stopped": counts of what there is only one of.
    void aSingleSeedIsNotCounted() {
        Desk desk("good");
        desk.shop.run("a1", RunState::Stopped, 1);
        auto* table = desk.workspace->runTable()->runs();
        QTRY_VERIFY_WITH_TIMEOUT(table->rowCount() == 1, 60000);
        table->setCompared(table->groups()[0].key, true);
        QTRY_COMPARE_WITH_TIMEOUT(detailOf(desk), QStringLiteral("1 seed, stopped"), 60000);
        desk.shop.run("a1", RunState::Finished, 1);
        QTRY_COMPARE_WITH_TIMEOUT(detailOf(desk), QStringLiteral("1 seed"), 60000);
    }
};

HEADROOM_TEST(StoppedSeedsTest)

} // namespace headroom::testing::stopped_seeds_test

#include "stopped_seeds_test.moc"
