// SPDX-License-Identifier: GPL-3.0-or-later
// What shows a study's numbers: the table, the small plots, the confusion matrix.
#include "tests/support/runner.h"
#include "widgets/look/colour_map.h"
#include "widgets/look/theme.h"
#include "widgets/probe/confusion_map.h"
#include "widgets/study_plots/histogram_plot.h"
#include "widgets/study_plots/layer_map.h"
#include "widgets/study_plots/limited_histogram.h"
#include "widgets/study_plots/spread_plot.h"
#include "widgets/study_table/study_table_view.h"

#include <qcustomplot.h>
#include <QApplication>
#include <QBuffer>
#include <QClipboard>
#include <QHeaderView>
#include <QPainter>
#include <QSignalSpy>
#include <QSvgGenerator>
#include <QTest>

#include <cmath>
#include <limits>
#include <random>

namespace headroom::testing::study_widgets_test {

using namespace headroom::widgets;

namespace {

StudyTable madeTable() {
    return {"windows",
            "Windows",
            "Made by a test.",
            {{"layer", "Layer", "", 0, false}, {"mean", "μ", "", 2, false}, {"words", "Words", "", 0, true}},
            {{1.0, 2.5, std::string("local")},
             {2.0, {}, std::string("full")},
             {3.0, -1.25, std::string("local")}}};
}

QStringList columnOf(const StudyTableView& view, int column) {
    QStringList cells;
    for (int row = 0; row < view.model()->rowCount(); ++row)
        cells << view.model()->index(row, column).data().toString();
    return cells;
}

} // namespace

class StudyWidgetsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// “0.24” at the edge of the table was half of 0.2468.
    void theEdgeCutsNoNumber() {
        StudyTableView view;
        StudyTable table = madeTable();
        for (auto& row : table.rows)
            row[1] = -888.88;
        view.setTable(std::move(table));
        view.resize(600, 200);
        view.show();
        QCoreApplication::processEvents();
        const QModelIndex cell = view.model()->index(0, 1);
        const auto inkOf = [&] {
            const QImage picture = view.viewport()->grab(view.visualRect(cell) & view.viewport()->rect()).toImage();
            int dark = 0;
            for (int y = 0; y < picture.height(); ++y)
                for (int x = 0; x < picture.width(); ++x)
                    dark += picture.pixelColor(x, y).lightness() < 128;
            return dark;
        };
        const int whole = inkOf();
        QVERIFY(whole > 40);
        for (int padding = 20; padding > 0 && view.visualRect(cell).right() <= view.viewport()->width(); --padding) {
            view.resize(view.visualRect(cell).right() - 8, 200); // until its last digits are behind the edge
            QCoreApplication::processEvents();
        }
        QVERIFY(view.visualRect(cell).right() > view.viewport()->width());
        QVERIFY2(inkOf() > 0 && inkOf() < whole / 3, qPrintable(QStringLiteral("%1 of %2").arg(inkOf()).arg(whole)));
    }

    /// A table is filled before it has its place: “fsdd-ywewe…” stood beside free room.
    void namesTakeTheRoomThatComesLater() {
        StudyTableView view;
        view.resize(160, 200);
        StudyTable table = madeTable();
        std::swap(table.columns.front(), table.columns.back());
        for (auto& row : table.rows)
            std::swap(row.front(), row.back());
        table.rows.front().front() = std::string("a-speaker-with-a-long-name");
        view.setTable(table);
        const int needed = static_cast<QAbstractItemView&>(view).sizeHintForColumn(0);
        view.show();
        QVERIFY(view.columnWidth(0) < needed); // the numbers are in sight
        view.resize(500, 200);
        QTRY_VERIFY2(view.columnWidth(0) >= needed, qPrintable(QString::number(view.columnWidth(0))));
        view.horizontalHeader()->resizeSection(0, 70); // as somebody drags it
        view.resize(600, 200);
        QCOMPARE(view.columnWidth(0), 70);
    }

    /// "local_atten…" stood twice, and what the paper says was not told from ours.
    void headsOfATableThatIsScrolledAreWhole() {
        StudyTable table{"heads", "Heads", "", {{"layer", "layer", "", 0, false}}, {}};
        table.rows.push_back({1.0});
        for (const char* head : {"local_attention, paper", "local_attention, ours", "conv_attention, paper", "conv_attention, ours"}) {
            table.columns.push_back({head, head, "", 0, true});
            table.rows.front().push_back(std::string("4 local 64 block"));
        }
        StudyTableView view;
        view.resize(260, 200);
        view.setTable(table);
        view.show();
        for (int column = 1; column < 5; ++column)
            QVERIFY(view.columnWidth(column) >= QFontMetrics(view.horizontalHeader()->font())
                                                    .horizontalAdvance(view.model()->headerData(column, Qt::Horizontal).toString()));
    }

    void theScaleOfSimilarityBeginsBelowItsSmallestValue() {
        LayerMap map;
        const auto startAt = [&](double least) {
            LayerMap::Content content;
            content.values = Matrix<double>(2, 2, 1.0);
            content.values(0, 1) = least;
            content.values(1, 0) = std::numeric_limits<double>::quiet_NaN();
            map.setContent(std::move(content));
            return map.scaleStart();
        };
        QCOMPARE(startAt(0.983), 0.98);
        QCOMPARE(startAt(0.98), 0.98);
        QCOMPARE(startAt(0.65), 0.6);
        QCOMPARE(startAt(0.05), 0.0);
        QCOMPARE(startAt(1.0), 0.0); // every value is the upper end
        // The map uses the colours from end to end.
        startAt(0.98);
        map.resize(300, 280);
        const QImage picture = map.grab().toImage();
        const auto colourOf = [&](LayerMap::Cell cell) {
            for (int y = 0; y < picture.height(); ++y)
                for (int x = 0; x < picture.width(); ++x)
                    if (map.cellAt(QPointF(x, y)) == cell)
                        return picture.pixelColor(x + 12, y + 12);
            return QColor();
        };
        const ColourMap& colours = ColourMap::named(ColourMap::Name::Magma, Theme::current().isDark);
        QCOMPARE(colourOf({0, 1}).rgb(), QColor(colours.at(0)).rgb());
        QCOMPARE(colourOf({0, 0}).rgb(), QColor(colours.at(1)).rgb());
    }

    /// Names of models took the room, and the numbers stood where one had to scroll.
    void longNamesGiveWayToTheNumbers() {
        StudyTableView view;
        view.resize(460, 200);
        view.show();
        StudyTable table;
        table.columns = {{"first", "First", "", 0, true}, {"layer", "Layer", "", 0, false}, {"second", "Second", "", 0, true},
                         {"layer2", "Layer", "", 0, false}, {"cka", "CKA", "", 3, false}};
        const std::string name = "demo, layers 4–8 changed, 150 updates, seed 1";
        table.rows = {{name, 0.0, name, 1.0, 0.5}};
        view.setTable(table);
        int wide = 0;
        for (int column = 0; column < 5; ++column)
            wide += view.columnWidth(column);
        QVERIFY2(wide <= view.viewport()->width(), qPrintable(QString::number(wide)));
        QCOMPARE(view.model()->index(0, 0).data(Qt::ToolTipRole).toString(), QString::fromStdString(name));
        table.rows = {{name, 0.0, name, 1.0, -0.5}};
        view.setTable(table);
        QCOMPARE(view.model()->index(0, 4).data(Qt::ToolTipRole).toString(), QStringLiteral("−0.5")); // as in the cell
    }

    void unknownNumbersStandLastInBothOrders() {
        StudyTableView view;
        view.setTable(madeTable());
        view.sortByColumn(1, Qt::AscendingOrder);
        QCOMPARE(columnOf(view, 0), (QStringList{"3", "1", "2"}));
        view.sortByColumn(1, Qt::DescendingOrder);
        QCOMPARE(columnOf(view, 0), (QStringList{"1", "3", "2"}));
        QCOMPARE(columnOf(view, 1).last(), QStringLiteral("–"));
    }

    void wordsFilterAndTheCurrentRowIsTheTables() {
        StudyTableView view;
        view.setTable(madeTable());
        view.sortByColumn(1, Qt::AscendingOrder);
        view.setFilter(QStringLiteral("FULL"));
        QCOMPARE(view.shownRows(), 1);
        view.setFilter({});
        QSignalSpy chosen(&view, &StudyTableView::rowChosen);
        view.setCurrentRow(2);
        QCOMPARE(chosen.count(), 0);
        QCOMPARE(view.currentRow(), 2);
        view.selectionModel()->setCurrentIndex(view.model()->index(1, 0), QItemSelectionModel::NoUpdate);
        QCOMPARE(chosen.count(), 1);
        QCOMPARE(chosen.front().front().toInt(), 0);
    }

    void copyingGivesFullPrecisionInTheOrderShown() {
        StudyTableView view;
        StudyTable table = madeTable();
        table.rows[0][1] = 1.0 / 3;
        view.setTable(table);
        view.sortByColumn(0, Qt::DescendingOrder);
        view.show();
        QTest::keyClick(&view, Qt::Key_C, Qt::ControlModifier);
        const QString text = QApplication::clipboard()->text();
        QVERIFY2(text.contains(QStringLiteral("0.3333333333333333")), qPrintable(text));
        QVERIFY(text.indexOf(QStringLiteral("3\t")) < text.indexOf(QStringLiteral("1\t0.33")));
        QTest::keyClick(&view, Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(QApplication::clipboard()->text().contains(QStringLiteral("\\toprule")));
    }

    /// Every second phone had no name in the file, where no tip tells it.
    void aFigureOfTheConfusionMatrixNamesEveryPhone() {
        ConfusionMap map;
        map.resize(360, 300);
        QCOMPARE(map.figureSize(), map.size());
        map.setCounts(Matrix<double>(37, 37, 1.0));
        QBuffer buffer;
        buffer.open(QIODevice::WriteOnly);
        QSvgGenerator generator;
        generator.setOutputDevice(&buffer);
        generator.setSize(map.figureSize());
        QPainter painter(&generator);
        map.renderTo(painter, QRect(QPoint(), map.figureSize()));
        painter.end();
        const QString text = QString::fromUtf8(buffer.data());
        for (int phone = 0; phone < ConfusionMap::kClasses; ++phone)
            QVERIFY2(text.count(QLatin1Char('>') + phoneName(phone) + QLatin1Char('<')) >= 2, qPrintable(phoneName(phone)));
    }

    void rowsOfTheConfusionMatrixAreSharesAndAClickNamesTheCell() {
        ConfusionMap map;
        map.resize(600, 500);
        QVERIFY(!map.cellAt({300, 200}));
        std::mt19937 random(1);
        Matrix<double> counts(37, 37);
        for (std::size_t row = 0; row + 1 < 37; ++row)
            for (std::size_t column = 0; column < 37; ++column)
                counts(row, column) = double(random() % 9);
        map.setCounts(counts);
        for (int truth = 0; truth < 36; ++truth) {
            double sum = 0;
            for (int guess = 0; guess < 37; ++guess)
                sum += map.share({truth, guess});
            QVERIFY(std::abs(sum - 1) < 1e-12);
        }
        QVERIFY(std::isnan(map.share({36, 0}))); // nobody was silent
        for (int truth = 0; truth < 37; truth += 5)
            for (int guess = 0; guess < 37; guess += 7) {
                const auto cell = map.cellAt(map.cellRect({truth, guess}).center());
                QVERIFY(cell && cell->truth == truth && cell->guess == guess);
            }
        QSignalSpy activated(&map, &ConfusionMap::cellActivated);
        QTest::mouseClick(&map, Qt::LeftButton, {}, map.cellRect({3, 4}).center().toPoint());
        QCOMPARE(activated.count(), 1);
        QVERIFY(map.selected() == (ConfusionMap::Cell{3, 4}));
        QTest::keyClick(&map, Qt::Key_Return);
        QCOMPARE(activated.count(), 2);
        QVERIFY(map.describe({36, 0}).contains(QStringLiteral("does not occur")));
    }

    void aHistogramCountsWholeSteps() {
        HistogramPlot plot;
        plot.setValues(QStringLiteral("Statistic"), QStringLiteral("2i"), {0, 2, 2, 8, NAN}, 2);
        QCOMPARE(plot.barCount(), 5); // 0, 2, 4, 6, 8
        plot.setValues(QStringLiteral("Statistic"), QStringLiteral("2i"), {}, 2);
        QCOMPARE(plot.barCount(), 0);
        std::vector<double> wide;
        for (int i = 0; i < 400; ++i)
            wide.push_back(2 * i);
        plot.setValues(QStringLiteral("Statistic"), QStringLiteral("2i"), wide, 2);
        QCOMPARE(plot.barCount(), 40);
    }

    /// “Layer 6, 2 i per utter…” stood below it in a narrow panel.
    void theTitleOfANarrowHistogramIsShorter() {
        HistogramPlot histogram;
        const auto titleAt = [&](int width) {
            histogram.resize(width, 150);
            QCoreApplication::processEvents();
            return histogram.findChild<QCustomPlot*>()->findChild<QCPItemText*>()->text();
        };
        histogram.show();
        histogram.setValues(QStringLiteral("Layer 6, 2 i per utterance"), QStringLiteral("2 i"), {1, 5, 29}, 2, QStringLiteral("Layer 6, 2 i"));
        histogram.setMarks({{15.33, QStringLiteral("μ 15.33")}, {27, QStringLiteral("w 27")}});
        QCOMPARE(titleAt(400), QStringLiteral("Layer 6, 2 i per utterance: μ 15.33, w 27"));
        QCOMPARE(titleAt(220), QStringLiteral("Layer 6, 2 i per utterance"));
        QCOMPARE(titleAt(150), QStringLiteral("Layer 6, 2 i"));
        QVERIFY(histogram.toolTip().contains(QStringLiteral("Layer 6, 2 i per utterance: μ 15.33")));
    }

    void ticksOfAHistogramAreWholeAndDifferent() {
        HistogramPlot histogram;
        histogram.resize(300, 220);
        const auto* plot = histogram.findChild<QCustomPlot*>();
        for (int most = 1; most <= 30; ++most) {
            std::vector<double> values(std::size_t(most), 4.0);
            values.insert(values.end(), {0.0, 2.0, 2.0 * most});
            histogram.setValues(QStringLiteral("Statistic"), QStringLiteral("2i"), values, 2);
            for (const QCPAxis* axis : {plot->xAxis, plot->yAxis}) {
                QStringList labels = axis->tickVectorLabels();
                QVERIFY(labels.size() > 1);
                QCOMPARE(labels.removeDuplicates(), 0);
                for (qsizetype i = 0; i < labels.size(); ++i) {
                    if (!axis->range().contains(axis->tickVector()[i]))
                        continue; // one beyond each end is computed, but not drawn
                    QVERIFY(!labels[i].isEmpty() && axis->tickVector()[i] >= 0);
                    QCOMPARE(axis->tickVector()[i], std::round(axis->tickVector()[i]));
                }
            }
        }
    }

    void aBarOfALogarithmicHistogramEndsAtItsCount() {
        LimitedHistogram histogram;
        histogram.resize(500, 250);
        histogram.setContent({QStringLiteral("Length"), QStringLiteral("s"), {1, 4, 30, 0, 2}, 0.5});
        histogram.setLimits(0, 9, 0.01);
        auto* plot = histogram.findChild<QCustomPlot*>();
        QVERIFY(plot);
        const std::vector<double> counts{1, 4, 30, 2};
        const auto* bars = qobject_cast<QCPBars*>(plot->plottable(0));
        QVERIFY(bars && bars->dataCount() == int(counts.size()));
        for (int bar = 0; bar < bars->dataCount(); ++bar) {
            const double top = bars->dataPixelPosition(bar).y();
            QVERIFY(std::abs(top - plot->yAxis->coordToPixel(counts[std::size_t(bar)])) < 0.5);
        }
    }

    /// The frame ran through the g of "longest", and the note stood close above.
    void namesOfLimitsStandAboveTheFrameAndBelowTheNote() {
        LimitedHistogram histogram;
        histogram.setContent({QStringLiteral("Length"), QStringLiteral("s"), {1, 4, 30, 0, 2}, 0.5});
        histogram.setLimits(0.5, 2, 0.01);
        histogram.setNote(QStringLiteral("gap: 3 utterances outside"));
        histogram.resize(500, 250);
        histogram.show();
        const auto* plot = histogram.findChild<QCustomPlot*>();
        double names = 1e9, note = 0;
        int found = 0;
        for (int i = 0; i < plot->itemCount(); ++i) {
            const auto* text = qobject_cast<QCPItemText*>(plot->item(i));
            if (!text)
                continue;
            if (text->text().endsWith(QLatin1String(" s"))) {
                ++found;
                QVERIFY(text->bottom->pixelPosition().y() <= plot->axisRect()->top() - 1);
                names = std::min(names, text->top->pixelPosition().y());
            } else if (text->text().startsWith(QLatin1String("gap"))) {
                note = text->bottom->pixelPosition().y();
                QVERIFY(text->top->pixelPosition().y() >= 0);
            }
        }
        QCOMPARE(found, 2);
        QVERIFY2(note > 0 && note <= names + 1, qPrintable(QStringLiteral("%1, %2").arg(note).arg(names)));
    }

    void aShortLogarithmicAxisHasMoreThanPowersOfTen() {
        LimitedHistogram histogram;
        histogram.resize(500, 250);
        auto* plot = histogram.findChild<QCustomPlot*>();
        const auto labels = [&](std::int64_t highest) {
            histogram.setContent({QStringLiteral("Length"), QStringLiteral("s"), {1, 4, highest}, 0.5});
            QStringList said = plot->yAxis->tickVectorLabels();
            said.removeAll(QString());
            return said.join(QLatin1Char(' '));
        };
        QCOMPARE(labels(30), QStringLiteral("1 2 5 10 20 50"));
        QCOMPARE(labels(3000), QStringLiteral("1 10 100 1,000"));
    }

    void theNumbersOfALengthAxisStandAtTheirTicks() {
        LimitedHistogram histogram;
        histogram.resize(500, 250);
        histogram.setContent({QStringLiteral("Length"), QStringLiteral("s"), {1, 4, 3, 2}, 0.5});
        histogram.setLimits(0, 2, 0.01);
        const auto* plot = histogram.findChild<QCustomPlot*>();
        const QVector<double> ticks = plot->xAxis->tickVector();
        const QVector<QString> labels = plot->xAxis->tickVectorLabels();
        QVERIFY(ticks.size() > 4 && labels.size() == ticks.size());
        for (int i = 0; i < ticks.size(); ++i)
            QVERIFY2(std::abs(labels[i].toDouble() - ticks[i]) < 1e-9, qPrintable(labels[i]));
    }

    void arrowsChooseTheNextPlaceOfACurve() {
        SpreadPlot plot;
        plot.resize(400, 200);
        SpreadPlot::Axes axes;
        axes.title = QStringLiteral("Accuracy");
        axes.x = QStringLiteral("layer");
        plot.setSeries(axes, {{QStringLiteral("a"), {0, 1, 2}, {0.5, NAN, 0.7}, {0.1, NAN, 0.1}, 0, false}});
        QSignalSpy chosen(&plot, &SpreadPlot::chosen);
        plot.setCurrent(0);
        QTest::keyClick(&plot, Qt::Key_Right);
        QCOMPARE(chosen.count(), 1);
        QCOMPARE(plot.current().value(), 1.0);
        QTest::keyClick(&plot, Qt::Key_Right);
        QTest::keyClick(&plot, Qt::Key_Right); // the last
        QCOMPARE(chosen.count(), 2);
        QVERIFY(plot.accessibleDescription().contains(QStringLiteral("0.70 ± 0.10")));
    }
};

HEADROOM_TEST(StudyWidgetsTest)

} // namespace headroom::testing::study_widgets_test

#include "study_widgets_test.moc"
