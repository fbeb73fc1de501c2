// SPDX-License-Identifier: GPL-3.0-or-later
// Runs and Queue as they are copied: header and value are in one unit, and nothing that the screen says is lost.
#include "tests/support/runner.h"
#include "tests/widgets/run_monitor/sample_runs.h"
#include "widgets/look/theme.h"
#include "widgets/run_monitor/queue_view.h"
#include "widgets/run_monitor/run_table.h"
#include "widgets/run_monitor/table_text.h"

#include <QTest>

namespace headroom::testing::copied_tables_test {

using namespace headroom::widgets;

namespace {

/// The cell of a row of a copied text below a header.
QString cellOf(const QString& text, int row, const QString& head) {
    const QStringList lines = text.split(u'\n');
    const auto column = lines.front().split(u'\t').indexOf(head);
    return column < 0 ? lines.front() : lines.value(row + 1).split(u'\t').value(column);
}

} // namespace

class CopiedTablesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { Theme::apply(QStringLiteral("light")); }

    /// Below "Params, M" stood 1992192.
    void parametersAreCopiedInTheirUnit() {
        RunTable table;
        RunItem run = sampleRun("a", 1, RunState::Finished, 1.25);
        run.parameters = 1992192;
        run.macShare = 0.875;
        table.runs()->setGroups(groupRuns({run}));
        QCOMPARE(cellOf(table.asText(), 0, QStringLiteral("Params, M")).toDouble(), 1.992192);
        QCOMPARE(cellOf(table.asText(), 0, QStringLiteral("MACs, %")).toDouble(), 87.5);
        QCOMPARE(cellOf(table.asText(), 0, QStringLiteral("Dev WER, %")).toDouble(), 12.5);
    }

    /// "4" for "3 of 4" would count a seed that has no result, and "5.49" does not say of which split and measure it is.
    void whatIsMoreThanANumberIsCopiedAsShown() {
        RunTable table;
        RunItem run = sampleRun("a", 1, RunState::Finished);
        run.waitingSeeds = {2};
        run.testWer = 5.49;
        run.testSplit = QStringLiteral("test");
        table.runs()->setGroups(groupRuns({run}));
        QCOMPARE(cellOf(table.asText(), 0, QStringLiteral("Seeds")), QStringLiteral("1 of 2"));
        const QString evaluated = cellOf(table.asText(), 0, QStringLiteral("Evaluated"));
        QVERIFY2(evaluated.contains(QLatin1String("% WER, test")), qPrintable(evaluated));
    }

    void theQueueCopiesTimesAndSpeedsWithTheirUnits() {
        QueueView view;
        RunItem runs = sampleRun("a", 1, RunState::Running), done = sampleRun("b", 1, RunState::Finished), text = sampleRun("c", 1, RunState::Running);
        runs.secondsLeft = 90.25;
        done.secondsLeft = 0;
        done.info.started = "2026-11-21T10:30:00Z";
        done.info.ended = "2026-11-21T10:30:11Z";
        text.task = QStringLiteral("translate_de");
        view.queue()->setItems({runs, done, text}, {}, {});
        const QString copied = tableText(view);
        const int at = view.queue()->rowOf(done.folder), running = view.queue()->rowOf(runs.folder);
        QCOMPARE(cellOf(copied, running, QStringLiteral("Progress, %")), QStringLiteral("50")); // as on the screen
        QCOMPARE(cellOf(copied, running, QStringLiteral("Time left")), QStringLiteral("90.25 s"));
        QCOMPARE(cellOf(copied, at, QStringLiteral("Time left")), QStringLiteral("took 11 s"));
        QCOMPARE(cellOf(copied, running, QStringLiteral("Speed")), QStringLiteral("20000 frames/s"));
        QCOMPARE(cellOf(copied, view.queue()->rowOf(text.folder), QStringLiteral("Speed")), QStringLiteral("20000 tokens/s"));
    }
};

HEADROOM_TEST(CopiedTablesTest)

} // namespace headroom::testing::copied_tables_test

#include "copied_tables_test.moc"
