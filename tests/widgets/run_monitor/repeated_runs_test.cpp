// SPDX-License-Identifier: GPL-3.0-or-later
// An experiment that was started again with the same seed: of which of its runs row and curves are.
#include "tests/support/runner.h"
#include "tests/widgets/run_monitor/sample_runs.h"
#include "widgets/run_monitor/metric_plot.h"
#include "widgets/run_monitor/run_table_model.h"
#include "widgets/run_monitor/run_words.h"

#include <QTest>

namespace headroom::testing::repeated_runs_test {

using namespace headroom::widgets;

class RepeatedRunsTest : public QObject {
    Q_OBJECT

    RunItem m_first = sampleRun("a", 1, RunState::Finished, 1), m_second = sampleRun("a", 1, RunState::Finished, 3),
            m_third = sampleRun("a", 1, RunState::Stopped);
    RunTableModel m_model;

    void show(const std::vector<RunItem>& runs) { m_model.setGroups(groupRuns(runs)); }
    QString shown(int column) const { return m_model.index(0, column).data().toString(); }

private Q_SLOTS:
    void init() {
        m_first.folder = "/runs/first";
        m_first.info.created = "2026-11-29T10:00:00Z";
        m_second.folder = "/runs/second";
        m_second.info.created = "2026-11-29T11:00:00Z";
        m_third.folder = "/runs/third";
        m_third.info.created = "2026-11-29T12:00:00Z";
        m_third.info.best = nullptr;
        m_third.hasModel = true;
        m_second.repeat = 2;
        m_third.repeat = 3;
        show({});
    }

    /// One number, one curve and one result: those of the newest finished run.
    void theRunThatTheNumbersAreOfIsTheResult() {
        const RunGroup group = groupRuns({m_third, m_second, m_first}).front();
        QCOMPARE(group.runsOfSeeds().size(), 1U);
        QVERIFY(group.runsOfSeeds().front()->folder == m_second.folder);
        QVERIFY(group.scoredRuns().front()->folder == m_second.folder);
        QVERIFY(group.resultRun()->folder == m_second.folder);
        const RunGroup begun = groupRuns({m_third}).front();
        QVERIFY(begun.resultRun()->folder == m_third.folder);
        // A seed that has only a stopped run has a curve, and no part in the score.
        RunItem other = sampleRun("a", 2, RunState::Stopped);
        const RunGroup seeds = groupRuns({m_third, m_second, m_first, other}).front();
        QCOMPARE(seeds.runsOfSeeds().size(), 2U);
        QCOMPARE(seeds.scoredRuns().size(), 1U);
        QVERIFY(seeds.resultRun()->folder == m_second.folder);
        // Best of all is a number.
        RunItem unknown = sampleRun("a", 2, RunState::Finished), known = sampleRun("a", 3, RunState::Finished, 2);
        unknown.info.best = nullptr;
        QVERIFY(groupRuns({unknown, known}).front().resultRun()->info.seed == 3);
    }

    /// "Stopped" stood beside the scores of the run that had finished.
    void theRowSaysHowManyRunsItHas() {
        show({m_third, m_second, m_first});
        QCOMPARE(shown(RunTableModel::State), QStringLiteral("3 runs, 2 finished, 1 stopped"));
        QCOMPARE(shown(RunTableModel::Loss), QStringLiteral("3.000"));
        QCOMPARE(shown(RunTableModel::Started), QStringLiteral("2026-11-29 11:00"));
        const QStringList lines = m_model.index(0, 0).data(Qt::ToolTipRole).toString().split(u'\n');
        for (const auto& [start, counts] : {std::pair("seed 1: Finished", false), std::pair("seed 1, run 2: Finished", true), std::pair("seed 1, run 3: Stopped", false)}) {
            const QString line = lines.filter(QLatin1String(start)).value(0);
            QVERIFY2(!line.isEmpty() && line.contains(QStringLiteral("not in the numbers")) != counts, qPrintable(lines.join(u'\n')));
        }
        show({m_first});
        QCOMPARE(shown(RunTableModel::State), QStringLiteral("Finished"));
    }

    /// "Finished" stood beside "1 of 2" while the second seed waited.
    void aSeedInTheQueueIsSaid() {
        m_first.waitingSeeds = {2};
        show({m_first});
        QCOMPARE(shown(RunTableModel::State), QStringLiteral("Queued"));
        QCOMPARE(shown(RunTableModel::Seeds), QStringLiteral("1 of 2"));
        m_second.waitingSeeds = {2};
        show({m_second, m_first});
        QCOMPARE(shown(RunTableModel::State), QStringLiteral("2 runs, 2 finished, 1 more queued"));
        RunItem stopped = sampleRun("a", 3, RunState::Stopped); // somebody has to look at it
        stopped.waitingSeeds = {2};
        show({m_first, stopped});
        QCOMPARE(shown(RunTableModel::State), QStringLiteral("Stopped"));
        m_first.waitingSeeds = m_second.waitingSeeds = {};
    }

    /// The legend of the curves: "3 of 4 seeds" did not say where the fourth one is.
    void theLegendCountsWhatWaits() {
        RunItem runs = sampleRun("a", 2, RunState::Running), stopped = sampleRun("a", 3, RunState::Stopped);
        m_first.waitingSeeds = runs.waitingSeeds = stopped.waitingSeeds = {4, 5};
        stopped.isQueued = true;
        QCOMPARE(goingOnText(groupRuns({m_first, runs, stopped}).front()), QStringLiteral("1 running, 3 queued"));
        m_first.waitingSeeds = {};
    }

    /// The evaluation of one run stood beside the validation of another one.
    void evaluatedIsOfTheSameRun() {
        m_third.evaluated = m_first.evaluated = {sampleScore("test", 12)};
        show({m_third, m_second, m_first});
        QCOMPARE(shown(RunTableModel::Test), QStringLiteral("–"));
        m_second.evaluated = {sampleScore("test", 9)};
        show({m_third, m_second, m_first});
        QCOMPARE(shown(RunTableModel::Test), QStringLiteral("9.00\u202f% WER, test"));
    }

    /// What goes on is looked at while it does, beside the curve that counts.
    void aRepetitionThatGoesOnIsALineOfItsOwn() {
        MetricPlot plot({QStringLiteral("loss"), QStringLiteral("Training loss"), 1, 3});
        CurveReading reading{CurveAxis::Updates, 0, true, false};
        plot.setReading(reading);
        const auto lines = [&](const ComparedRuns& runs) {
            plot.setRuns({runs});
            return plot.valuesHere().size();
        };
        const ComparedRuns stopped{QStringLiteral("a"), 0, {sampleCurves(10)}, {sampleCurves(5)}, {}};
        QCOMPARE(lines(stopped), 1U);
        QCOMPARE(lines({QStringLiteral("a"), 0, {sampleCurves(10)}, {sampleCurves(7)}, {sampleCurves(5)}}), 2U);
        QCOMPARE(lines({QStringLiteral("a"), 0, {sampleCurves(10), sampleCurves(10, 2)}, {}, {sampleCurves(5)}}), 2U);
        reading.mean = false;
        plot.setReading(reading);
        QCOMPARE(lines(stopped), 2U);
        QCOMPARE(lines({QStringLiteral("a"), 0, {sampleCurves(10), sampleCurves(10, 2)}, {sampleCurves(7)}, {sampleCurves(5)}}), 4U);
    }
};

HEADROOM_TEST(RepeatedRunsTest)

} // namespace headroom::testing::repeated_runs_test

#include "repeated_runs_test.moc"
