// SPDX-License-Identifier: GPL-3.0-or-later
// What the table of runs, the queue and the curves say of runs that are few, short, or of other tasks.
#include "widgets/run_monitor/run_table.h"

#include "tests/support/runner.h"
#include "tests/widgets/run_monitor/sample_runs.h"
#include "widgets/look/theme.h"
#include "widgets/run_monitor/metric_plot.h"
#include "widgets/run_monitor/queue_view.h"

#include <qcustomplot.h>
#include <QTest>

namespace headroom::testing::run_table_test {

using namespace headroom::widgets;

class RunTableTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { Theme::apply(QStringLiteral("light")); }

    void anEmptyTableSaysWhy() {
        RunTable table;
        table.resize(700, 200);
        table.show();
        const QImage blank = table.grab().toImage();
        table.setEmptySentence(QStringLiteral("No runs yet."));
        const QImage said = table.grab().toImage();
        QVERIFY(said != blank);
        table.runs()->setGroups(groupRuns({sampleRun(QStringLiteral("a"), 1, RunState::Finished)}));
        const QImage one = table.grab().toImage();
        table.setEmptySentence({});
        QVERIFY(table.grab().toImage() == one); // it is gone with the first run
        const int rows = table.shownRows();
        table.setSearch(QStringLiteral("nothing is called so"));
        QVERIFY(rows == 1 && table.shownRows() == 0);
        QVERIFY(table.grab().toImage() != blank);
    }

    /// A translation that was trained beside a language model had a column of word errors, and its per cent in the queue.
    void scoresAreThoseOfTheTask() {
        auto translation = sampleRun(QStringLiteral("a"), 1, RunState::Finished);
        translation.task = QStringLiteral("translate");
        translation.info.best["bleu"] = 12.5;
        auto language = sampleRun(QStringLiteral("b"), 1, RunState::Finished);
        language.task = QStringLiteral("lm_translate");
        RunTable table;
        table.runs()->setGroups(groupRuns({translation, language}));
        QVERIFY(table.isColumnHidden(RunTableModel::Wer) && !table.isColumnHidden(RunTableModel::Bleu));
        QueueView queue;
        queue.queue()->setItems({translation}, {}, {});
        QCOMPARE(queue.queue()->index(0, QueueModel::Score).data().toString(), QStringLiteral("12.5\u202fBLEU"));
    }

    /// The axis of a score that is always 0 ended at 1e-09.
    void anAxisOfZerosHasReadableNumbers() {
        auto curves = std::make_shared<RunCurves>();
        for (int i = 10; i <= 40; i += 10)
            curves->add({{"event", "validation"}, {"update", i}, {"time", 1000.0 + i}, {"bleu", 0.0}});
        MetricPlot plot({QStringLiteral("validation.bleu"), QStringLiteral("BLEU on dev"), 1, 1, false, false});
        plot.resize(300, 200);
        plot.show();
        plot.setRuns({{QStringLiteral("a"), 0, {curves}}});
        const auto* inner = plot.findChild<QCustomPlot*>();
        QCOMPARE(inner->yAxis->range().upper, 1.0);
        QCOMPARE(inner->yAxis->range().lower, 0.0);
    }

    void aLongNameOfARunHasRoom() {
        RunTable table;
        table.resize(700, 200);
        table.show();
        const QString name = QStringLiteral("demo, layers 4–6: full → 9");
        table.runs()->setGroups(groupRuns({sampleRun(name, 1, RunState::Finished)}));
        QVERIFY(table.columnWidth(RunTableModel::Name) >= table.fontMetrics().horizontalAdvance(name));
        table.runs()->setGroups(groupRuns({sampleRun(name + QStringLiteral(", layer 7: full → 21, layer 8: full → 23, of the recipe"), 1, RunState::Finished)}));
        QVERIFY(table.columnWidth(RunTableModel::Name) <= 300); // the scores stay in sight
    }
};

HEADROOM_TEST(RunTableTest)

} // namespace headroom::testing::run_table_test

#include "run_table_test.moc"
