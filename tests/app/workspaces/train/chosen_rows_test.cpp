// SPDX-License-Identifier: GPL-3.0-or-later
// What Train says of the rows that are chosen: the reference of Δ and p, and of which run the log is.
#include "app/workspaces/train/train_actions.h"
#include "tests/app/workspaces/train/train_desk.h"
#include "tests/support/runner.h"
#include "widgets/run_monitor/queue_view.h"
#include "widgets/run_monitor/run_table.h"
#include "widgets/run_monitor/run_words.h"

#include <QAction>
#include <QLabel>
#include <QSignalSpy>
#include <QTest>

namespace headroom::testing::chosen_rows_test {

using namespace headroom::app;
namespace fs = std::filesystem;

class ChosenRowsTest : public QObject {
    Q_OBJECT

    /// A run on a corpus of its own.
    static fs::path runOn(const Desk& desk, const char* name, RunState state = RunState::Finished) {
        const fs::path folder = desk.shop.run(name, state);
        RunInfo info = readRun(folder);
        info.data = std::string("/corpora/") + name;
        writeRun(folder, info);
        return folder;
    }

private Q_SLOTS:
    /// Menus did not name the key.
    void theDeleteKeyOfTheTableIsThatOfTheAction() {
        Desk desk("good");
        const fs::path run = runOn(desk, "a");
        auto* table = desk.workspace->runTable();
        QTRY_COMPARE_WITH_TIMEOUT(table->runs()->rowCount(), 1, 60000);
        desk.workspace->setCurrentRun(run);
        QAction* action = desk.workspace->actions().remove;
        QCOMPARE(action->shortcut(), QKeySequence(Qt::Key_Delete));
        desk.workspace->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(desk.workspace.get()));
        table->setFocus();
        QTRY_VERIFY_WITH_TIMEOUT(action->isEnabled(), 60000);
        QObject::disconnect(action, &QAction::triggered, nullptr, nullptr); // the run stays
        QSignalSpy triggered(action, &QAction::triggered);
        QTest::keyClick(table, Qt::Key_Delete);
        QCOMPARE(triggered.count(), 1);
    }

    void theReferenceIsChosenInTheMenuAndKept() {
        Desk desk("good");
        const fs::path a = runOn(desk, "a"), b = runOn(desk, "b"), stopped = runOn(desk, "c", RunState::Stopped);
        QTRY_COMPARE_WITH_TIMEOUT(desk.workspace->runTable()->runs()->rowCount(), 3, 60000);
        const auto reference = [&] {
            const auto* group = desk.workspace->runTable()->runs()->reference();
            return group ? group->runs.front().folder : fs::path();
        };
        QAction* action = desk.workspace->actions().reference;
        for (const fs::path& run : {a, b, a}) {
            desk.workspace->setCurrentRun(run);
            QVERIFY(action->isEnabled());
            action->trigger();
            QCOMPARE(reference(), run);
            QVERIFY(action->isChecked());
            action->trigger(); // it is one until another one is
            QVERIFY(action->isChecked());
        }
        desk.workspace->setCurrentRun(b);
        QVERIFY(!action->isChecked());
        desk.workspace->setCurrentRun(stopped);
        QVERIFY2(!action->isEnabled() && action->toolTip().contains(QStringLiteral("has finished with a score")), qPrintable(action->toolTip()));
        // Whatever is ticked, and at the next start.
        for (const auto& group : desk.workspace->runTable()->runs()->groups())
            desk.workspace->runTable()->runs()->setCompared(group.key, group.runs.front().folder == b);
        QCOMPARE(reference(), a);
        desk.workspace.reset();
        desk.open();
        QTRY_COMPARE_WITH_TIMEOUT(reference(), a, 60000);
    }

    /// The title kept six letters of the name, and of an evaluation the log was that of a training.
    void theLogSaysOfWhichRunItIs() {
        Desk desk("good");
        const fs::path run = runOn(desk, "a");
        EvaluationInfo info;
        info.folder = evaluationsFolder(desk.shop.runs()) / "2026-11-23_a";
        info.request = {RunPaths{run}.model(), "model", "/corpora/a", "test", "asr"};
        info.state = EvaluationInfo::State::Failed;
        info.error = "It was to fail.";
        fs::create_directories(info.folder);
        writeProgress(info);
        auto* view = desk.workspace->queueView();
        QTRY_VERIFY_WITH_TIMEOUT(view->queue()->rowOf(info.folder) >= 0 && view->queue()->rowOf(run) >= 0, 60000);
        const auto* shown = desk.workspace->findChild<QLabel*>(QStringLiteral("logOf"));
        const QString title = widgets::runTitle(*desk.workspace->store()->find(run));
        view->setCurrentPath(run);
        QCOMPARE(shown->text(), title);
        view->setCurrentPath(info.folder);
        QCOMPARE(desk.workspace->currentRun(), run);
        QCOMPARE(shown->text(), QStringLiteral("The training of ") + title);
        view->setCurrentPath(run);
        QCOMPARE(shown->text(), title);
    }
};

HEADROOM_TEST(ChosenRowsTest)

} // namespace headroom::testing::chosen_rows_test

#include "chosen_rows_test.moc"
