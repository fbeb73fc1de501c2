// SPDX-License-Identifier: GPL-3.0-or-later
// An experiment that waits for its turn on this machine names what it waits for.
#include "app/workspaces/train/experiments/experiments_dialog.h"
#include "core/runs/file_lock.h"
#include "core/runs/run_control.h"
#include "tests/app/workspaces/train/train_desk.h"
#include "tests/support/runner.h"
#include "widgets/look/theme.h"
#include "widgets/run_monitor/run_words.h"

#include <QTest>

namespace headroom::testing::paused_turn_test {

using namespace headroom::app;
namespace fs = std::filesystem;

class PausedTurnTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }

    /// "The queue computes": it was paused, and the experiment would have waited for ever.
    void aPausedRunThatKeepsTheTurnIsNamed() {
        Desk desk("good");
        QCOMPARE(desk.start(), QString());
        QVERIFY(desk.becomes(RunState::Running));
        const fs::path out = desk.shop.path() / "experiments" / "relaxed-7";
        ExperimentsDialog* dialog = desk.workspace->showExperiments();
        dialog->show();
        dialog->setFolders(desk.shop.path(), out);
        dialog->choose(QStringLiteral("relaxed-7"));
        desk.shop.text("experiments/relaxed-7/experiment.json", "{}");
        desk.shop.text("experiments/relaxed-7/log.txt", "a-seed1 waits: the queue of /runs computes on this machine.\n");
        const auto lock = FileLock::tryTake(ExperimentPaths{out}.lock(), "test");
        QTRY_VERIFY2_WITH_TIMEOUT(dialog->sentence().contains(QStringLiteral("a-seed1 waits, because the queue computes on this machine.")),
                                  qPrintable(dialog->sentence()), 60000);
        const widgets::RunItem run = desk.workspace->store()->runs().front();
        askToPause(run.folder);
        const QString expected = QStringLiteral("a-seed1 waits for “%1”, which is paused on this machine. Resume or stop that run.").arg(widgets::runTitle(run));
        QTRY_VERIFY2_WITH_TIMEOUT(dialog->sentence().endsWith(expected), qPrintable(dialog->sentence()), 60000);
        takeRequest(run.folder, RunControl::Pause);
        desk.allow();
        QVERIFY(desk.queueEnds());
    }
};

HEADROOM_TEST(PausedTurnTest)

} // namespace headroom::testing::paused_turn_test

#include "paused_turn_test.moc"
