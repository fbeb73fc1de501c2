// SPDX-License-Identifier: GPL-3.0-or-later
// What the table of runs, the queue and the curves say of runs that are few, short, or of other tasks.
#include "widgets/run_monitor/run_table.h"

#include "core/runs/recipe.h"
#include "tests/support/runner.h"
#include "tests/widgets/run_monitor/sample_runs.h"
#include "widgets/look/theme.h"
#include "widgets/run_monitor/metric_plot.h"
#include "widgets/run_monitor/queue_view.h"
#include "widgets/run_monitor/table_text.h"

#include <qcustomplot.h>
#include <QHeaderView>
#include <QHelpEvent>
#include <QScrollBar>
#include <QTest>
#include <QToolTip>

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

    /// The box stayed empty, and nothing said why.
    void aSeventhTickSaysWhyItStaysEmpty() {
        std::vector<RunItem> runs;
        for (int i = 0; i < 7; ++i)
            runs.push_back(sampleRun(QString::number(i), 1, RunState::Finished));
        RunTable table;
        table.resize(900, 400);
        table.runs()->setGroups(groupRuns(runs));
        table.show();
        QVERIFY(QTest::qWaitForWindowExposed(&table));
        for (int i = 0; i < 6; ++i)
            table.runs()->setCompared(QString::number(i), true);
        QCOMPARE(QToolTip::text(), QString());
        table.setCurrentKey(QStringLiteral("6"));
        QTest::keyClick(&table, Qt::Key_Space);
        QVERIFY(!table.runs()->isCompared(QStringLiteral("6")));
        QCOMPARE(QToolTip::text(), RunTable::comparisonFullText());
        QToolTip::hideText();
    }

    /// "dem…del" stood beside an empty column.
    void theNameOfARecipeIsWhole() {
        auto run = sampleRun(QStringLiteral("a"), 1, RunState::Finished);
        RunTable table;
        table.resize(1600, 200);
        table.runs()->setGroups(groupRuns({run}));
        const int before = table.columnWidth(RunTableModel::Recipe);
        run.recipe = QStringLiteral("demo language model");
        run.group = QStringLiteral("b");
        table.runs()->setGroups(groupRuns({run}));
        const int needed = table.fontMetrics().horizontalAdvance(run.recipe);
        QVERIFY2(before < needed && table.columnWidth(RunTableModel::Recipe) > needed, qPrintable(QString::number(table.columnWidth(RunTableModel::Recipe))));
        run.recipe = QString(300, u'x');
        run.group = QStringLiteral("c");
        table.runs()->setGroups(groupRuns({run}));
        QVERIFY(table.columnWidth(RunTableModel::Recipe) < 400);
    }

    /// Of a reference that was just chosen nothing was seen: Δ and p lay beyond the right edge.
    void aComparisonIsScrolledTo() {
        RunTable table;
        table.resize(560, 200);
        table.runs()->setGroups(groupRuns({sampleRun(QStringLiteral("a"), 1, RunState::Finished), sampleRun(QStringLiteral("b"), 1, RunState::Finished, 1)}));
        table.show();
        QVERIFY(QTest::qWaitForWindowExposed(&table));
        table.setCurrentKey(QStringLiteral("b"));
        table.showComparison(); // there is none
        QCOMPARE(table.horizontalScrollBar()->value(), 0);
        table.runs()->setReference(QStringLiteral("b"));
        const auto isSeen = [&](int column) {
            const QRect cell = table.visualRect(table.currentIndex().siblingAtColumn(column));
            return cell.left() >= table.frozenEdge() && cell.right() < table.viewport()->width();
        };
        QVERIFY(!isSeen(RunTableModel::PValue));
        table.showComparison();
        QVERIFY(isSeen(RunTableModel::Delta) && isSeen(RunTableModel::PValue));
        QCOMPARE(table.currentKey(), QStringLiteral("b"));
    }

    /// Runs that had been evaluated looked as if they had not: the column and its head were empty until all of it was in sight.
    void whatWasEvaluatedIsReadThoughTheEdgeCutsIt() {
        auto run = sampleRun(QStringLiteral("a"), 1, RunState::Finished);
        run.evaluated = {sampleScore("test", 86.18)};
        run.evaluated.front().checkpoint = QStringLiteral("last");
        auto seed = sampleRun(QStringLiteral("a"), 2, RunState::Finished);
        RunTable table;
        table.resize(900, 200);
        table.runs()->setGroups(groupRuns({run, seed}));
        table.show();
        const QModelIndex cell = table.model()->index(0, RunTableModel::Test);
        const int start = table.columnViewportPosition(RunTableModel::Test), width = table.columnWidth(RunTableModel::Test);
        QVERIFY2(width > 200, qPrintable(cell.data().toString()));
        QVERIFY(cell.data(Qt::DisplayRole).toString().contains(u','));
        QVERIFY(cell.data(kRawRole).typeId() == QMetaType::Double);
        table.resize(start + width - 40 + table.width() - table.viewport()->width(), 200);
        QCoreApplication::processEvents();
        QCOMPARE(table.columnViewportPosition(RunTableModel::Test), start);
        const auto hasInk = [](QWidget* of, const QRect& where) {
            const QImage picture = of->grab(where).toImage();
            for (int x = 0; x < picture.width(); ++x)
                for (int y = 0; y < picture.height(); ++y)
                    if (picture.pixelColor(x, y).lightness() < 150)
                        return true;
            return false;
        };
        const int row = table.rowHeight(0) - 2, edge = table.viewport()->width();
        QVERIFY(hasInk(table.viewport(), QRect(start, 0, 60, row))); // the number, first of all
        QVERIFY(!hasInk(table.viewport(), QRect(edge - 3, 0, 3, row)));
        QWidget* heads = table.horizontalHeader()->viewport();
        QVERIFY(hasInk(heads, QRect(start, 0, edge - start, heads->height() - 2)));
        QVERIFY(!hasInk(heads, QRect(edge - 3, 0, 3, heads->height() - 2)));
        const QPoint at(start + 20, row / 2);
        QToolTip::hideText();
        QHelpEvent help(QEvent::ToolTip, at, table.viewport()->mapToGlobal(at));
        QCoreApplication::sendEvent(table.viewport(), &help);
        QVERIFY2(QToolTip::text().contains(cell.data().toString()), qPrintable(QToolTip::text()));
        QToolTip::hideText();
    }

    /// Experiments of one recipe looked the same.
    void theTipHasTheValuesThatDiffer() {
        auto one = sampleRun(QStringLiteral("a"), 1, RunState::Finished), two = sampleRun(QStringLiteral("b"), 1, RunState::Finished);
        Recipe recipe;
        one.values = std::make_shared<const Recipe>(recipe);
        recipe.loss.rDrop = 0.5;
        two.values = std::make_shared<const Recipe>(recipe);
        RunTableModel model;
        model.setGroups(groupRuns({one, two}));
        const auto tip = [&](int row) { return model.index(row, RunTableModel::Name).data(Qt::ToolTipRole).toString(); };
        QVERIFY2(tip(0).contains(QStringLiteral("loss.rDrop 0\n")), qPrintable(tip(0)));
        QVERIFY2(tip(1).contains(QStringLiteral("loss.rDrop 0.5\n")), qPrintable(tip(1)));
        two.values = one.values;
        model.setGroups(groupRuns({one, two}));
        QVERIFY2(!tip(1).contains(QStringLiteral("values")), qPrintable(tip(1)));
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
        QCOMPARE(queue.queue()->index(0, QueueModel::Score).data().toString(), QStringLiteral("12.50\u202fBLEU"));
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

    /// With a translation between them, whose word errors are not known, they stood in the order in which they came.
    void whatIsUnknownStandsLast() {
        auto unknown = sampleRun(QStringLiteral("b"), 1, RunState::Finished);
        unknown.info.best.erase("wer");
        RunTable table;
        table.runs()->setGroups(groupRuns({sampleRun(QStringLiteral("a"), 1, RunState::Finished, 3), unknown,
                                           sampleRun(QStringLiteral("c"), 1, RunState::Finished, 1)}));
        const auto order = [&](int column, Qt::SortOrder how) {
            table.sortByColumn(column, how);
            QString names;
            for (int row = 0; row < table.model()->rowCount(); ++row)
                names += table.model()->index(row, RunTableModel::Name).data().toString();
            return names;
        };
        QCOMPARE(order(RunTableModel::Wer, Qt::AscendingOrder), QStringLiteral("cab"));
        QCOMPARE(order(RunTableModel::Wer, Qt::DescendingOrder), QStringLiteral("acb"));
        QCOMPARE(order(RunTableModel::Name, Qt::DescendingOrder), QStringLiteral("cba"));
    }

    /// Who typed into the search had another run's log and actions, with no row highlighted.
    void aSearchChoosesNothingElse() {
        RunTable table;
        const auto a = sampleRun(QStringLiteral("a"), 1, RunState::Finished), b = sampleRun(QStringLiteral("b"), 1, RunState::Finished);
        table.runs()->setGroups(groupRuns({a, b}));
        table.setCurrentKey(QStringLiteral("a"));
        QStringList chosen;
        connect(&table, &RunTable::currentChosen, this, [&](const QString& key) { chosen << key; });
        table.setSearch(QStringLiteral("b"));
        QVERIFY(table.shownRows() == 1 && table.selectedKeys().isEmpty());
        QCOMPARE(table.currentKey(), QString());
        table.setSearch({});
        QCOMPARE(table.currentKey(), QStringLiteral("a"));
        QCOMPARE(table.selectedKeys(), QStringList{QStringLiteral("a")});
        QVERIFY2(chosen.isEmpty(), qPrintable(chosen.join(u',')));
        table.runs()->setGroups(groupRuns({b})); // it is gone: the next one is chosen
        QCOMPARE(chosen, QStringList{QStringLiteral("b")});
    }

    /// On a logarithmic axis the band of the seeds was cut off.
    void theBandIsInsideALogarithmicAxis() {
        MetricPlot plot({QStringLiteral("validation.wer"), QStringLiteral("WER on dev"), 1, 1, false, true});
        plot.resize(300, 200);
        plot.show();
        std::vector<std::shared_ptr<const RunCurves>> seeds;
        for (const double wer : {10.0, 90.0}) {
            auto curves = std::make_shared<RunCurves>();
            for (int i = 10; i <= 40; i += 10)
                curves->add({{"event", "validation"}, {"update", i}, {"time", 1000.0 + i}, {"wer", wer}});
            seeds.push_back(std::move(curves));
        }
        plot.setRuns({{QStringLiteral("a"), 0, seeds}});
        CurveReading reading;
        reading.mean = reading.logarithmic = true;
        plot.setReading(reading);
        const auto* inner = plot.findChild<QCustomPlot*>(); // 50 ± 57
        QVERIFY2(inner->yAxis->range().upper > 106, qPrintable(QString::number(inner->yAxis->range().upper)));
        QVERIFY(inner->yAxis->range().lower > 0);
    }

    /// An evaluation keeps nothing when it is stopped, and the button said that it saves.
    void theButtonOfAnEvaluationPromisesNothing() {
        EvaluationItem going{{}, QStringLiteral("Evaluate a on test")};
        going.info.folder = "/runs/evaluations/a";
        QueueView queue;
        queue.resize(1200, 200);
        queue.show();
        queue.queue()->setItems({}, {}, {}, {going});
        QVERIFY(QTest::qWaitForWindowExposed(&queue));
        QTest::mouseMove(queue.viewport(), queue.buttonRect(0, QueueModel::Button::Stop).center());
        QTRY_COMPARE(queue.viewport()->toolTip(), QStringLiteral("Stop without a result"));
    }

    /// "The log is empty" stood below runs that had a log, and "its checkpoints are intact" where there were none.
    void aRunThatEndedBeforeItsFirstCheckpointSaysSo() {
        auto run = sampleRun(QStringLiteral("a"), 1, RunState::Interrupted);
        run.info.update = 0;
        QueueModel queue;
        queue.setItems({run}, {}, {});
        QCOMPARE(queue.index(1, QueueModel::Job).data().toString(),
                 QStringLiteral("The run stopped unexpectedly after update 50, before its first checkpoint. Resume begins it again."));
        run.update = 0;
        queue.setItems({run}, {}, {});
        QCOMPARE(queue.index(1, QueueModel::Job).data().toString(),
                 QStringLiteral("The run stopped unexpectedly before its first update. Resume begins it again."));
    }

    /// The table jumped back when a run began, so that Δ was out of sight.
    void whatIsScrolledToStaysWhenAnotherRowIsChosen() {
        RunTable table;
        table.resize(300, 200);
        table.show();
        table.runs()->setGroups(groupRuns({sampleRun("a", 1, RunState::Finished), sampleRun("b", 1, RunState::Finished)}));
        table.setCurrentKey(table.runs()->groups()[0].key);
        QScrollBar* bar = table.horizontalScrollBar();
        QVERIFY(bar->maximum() > 0);
        bar->setValue(bar->maximum());
        const int before = bar->value();
        table.setCurrentKey(table.runs()->groups()[1].key);
        QCoreApplication::processEvents();
        QCOMPARE(bar->value(), before);
    }

    /// Δ stood in rows of which one could not see whose they were.
    void theNameStaysInSightBesideTheLastColumn() {
        RunTable table;
        table.resize(300, 200);
        table.show();
        table.runs()->setGroups(groupRuns({sampleRun("a", 1, RunState::Finished), sampleRun("b", 1, RunState::Finished)}));
        table.horizontalScrollBar()->setValue(table.horizontalScrollBar()->maximum());
        const QModelIndex name = table.model()->index(1, RunTableModel::Name);
        QVERIFY(table.viewport()->rect().contains(table.visualRect(name)));
        QCOMPARE(table.indexAt(table.visualRect(name).center()), name);
        QVERIFY(table.visualRect(table.model()->index(1, RunTableModel::Macs)).left() >= table.visualRect(name).right());
    }

    void aLongNameOfARunHasRoom() {
        RunTable table;
        table.resize(700, 200);
        table.show();
        const QString name = QStringLiteral("demo, layers 4–6: full → 9");
        table.runs()->setGroups(groupRuns({sampleRun(name, 1, RunState::Finished)}));
        QVERIFY(table.columnWidth(RunTableModel::Name) >= table.fontMetrics().horizontalAdvance(name));
        table.runs()->setGroups(groupRuns({sampleRun(name + QStringLiteral(", layer 7: full → 21, layer 8: full → 23, of the recipe"), 1, RunState::Finished)}));
        for (const int score : {RunTableModel::Loss, RunTableModel::Wer}) // in sight
            QVERIFY(table.columnViewportPosition(score) + table.columnWidth(score) <= table.viewport()->width());
    }
};

HEADROOM_TEST(RunTableTest)

} // namespace headroom::testing::run_table_test

#include "run_table_test.moc"
