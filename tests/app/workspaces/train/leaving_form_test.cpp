// SPDX-License-Identifier: GPL-3.0-or-later
// The focus goes from the form to what was started from it.
#include "app/parts/dock.h"
#include "app/workspaces/train/launch_form.h"
#include "tests/app/workspaces/train/train_desk.h"
#include "tests/support/runner.h"
#include "widgets/look/theme.h"
#include "widgets/run_monitor/queue_view.h"
#include "widgets/run_monitor/run_table.h"

#include <QApplication>
#include <QComboBox>
#include <QTest>

namespace headroom::testing::leaving_form_test {

using namespace headroom::app;
namespace fs = std::filesystem;

namespace {

/// The focus is in the form.
struct FormDesk : Desk {
    QComboBox* field;
    FormDesk() : Desk("good"), field(workspace->form()->findChild<QComboBox*>(QStringLiteral("startFrom"))) {
        workspace->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(workspace.get()));
        field->setFocus();
        QCOMPARE(QApplication::focusWidget(), field);
    }
    ~FormDesk() {
        allow();
        queueEnds();
    }
    void startFromForm(std::uint64_t seed) { Q_EMIT workspace->form()->startRequested(shop.launch({seed})); }
};

} // namespace

class LeavingFormTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }

    /// Ctrl+Enter once more started another run that was the same.
    void theFocusGoesToTheTable() {
        FormDesk desk;
        const fs::path run = desk.shop.run("2026-11-21T10-00_old", RunState::Stopped);
        QVERIFY(QTest::qWaitFor([&] { return desk.workspace->store()->find(run) != nullptr; }, 60000));
        QVERIFY(desk.workspace->form()->chooseStart(StartChoice::Kind::Resume, run));
        QTest::keyClick(desk.field, Qt::Key_Return, Qt::ControlModifier);
        QCOMPARE(QApplication::focusWidget(), desk.workspace->queueView());
        desk.workspace->findChild<Dock*>(QStringLiteral("queue"))->hide();
        desk.field->setFocus();
        desk.startFromForm(1);
        QCOMPARE(QApplication::focusWidget(), desk.workspace->runTable());
    }

    /// Letters that were meant for the form went to Queue, where Delete takes a job out.
    void whatIsStartedElsewhereLeavesItInTheForm() {
        FormDesk desk;
        QCOMPARE(desk.start(), QString());
        QCOMPARE(QApplication::focusWidget(), desk.field);
    }

    /// The form says why.
    void aFailureLeavesItInTheForm() {
        FormDesk desk;
        qputenv("HEADROOM_WORKER", "/nowhere");
        desk.startFromForm(1);
        QVERIFY(!desk.said().isEmpty());
        QCOMPARE(QApplication::focusWidget(), desk.field);
    }

    /// The table that got the focus chose its first row, and that job was followed.
    void theRunThatWasResumedBecomesTheCurrentOne() {
        FormDesk desk;
        const fs::path run = desk.shop.run("2026-11-21T10-00_old", RunState::Stopped);
        qputenv("HEADROOM_WORKER", "/nowhere");
        (void)desk.start(); // waits
        const fs::path other = waitingJobs(desk.shop.runs()).front();
        auto* queue = desk.workspace->queueView();
        QTRY_VERIFY_WITH_TIMEOUT(queue->queue()->rowOf(other) == 0 && queue->queue()->rowOf(run) > 0, 60000);
        QTRY_COMPARE_WITH_TIMEOUT(queue->currentPath(), other, 60000);
        queue->setCurrentIndex({});
        qputenv("HEADROOM_WORKER", HEADROOM_FAKE_TRAINER);
        Q_EMIT desk.workspace->form()->resumeRequested(run);
        QCOMPARE(QApplication::focusWidget(), queue);
        QCOMPARE(desk.workspace->currentRun(), other);
        QTRY_COMPARE_WITH_TIMEOUT(desk.workspace->store()->runs().size(), std::size_t(2), 60000); // the other job has begun
        QTRY_COMPARE_WITH_TIMEOUT(desk.workspace->currentRun(), run, 60000);
    }

    /// The run of a job that had waited longer became the current one, because it began first.
    void theRunThatWasStartedBecomesTheCurrentOne() {
        FormDesk desk;
        qputenv("HEADROOM_WORKER", "/nowhere");
        (void)desk.start(); // waits
        auto* queue = desk.workspace->queueView();
        QTRY_COMPARE_WITH_TIMEOUT(queue->queue()->queued(), 1, 60000);
        qputenv("HEADROOM_WORKER", HEADROOM_FAKE_TRAINER);
        desk.startFromForm(2);
        const fs::path started = waitingJobs(desk.shop.runs()).back();
        QTRY_COMPARE_WITH_TIMEOUT(desk.workspace->store()->runs().size(), std::size_t(1), 60000);
        QCOMPARE(desk.workspace->currentRun(), started);
        const fs::path run = desk.shop.runs() / readJob(started).run;
        desk.allow();
        QTRY_COMPARE_WITH_TIMEOUT(desk.workspace->currentRun(), run, 60000);
    }
};

HEADROOM_TEST(LeavingFormTest)

} // namespace headroom::testing::leaving_form_test

#include "leaving_form_test.moc"
