// SPDX-License-Identifier: GPL-3.0-or-later
// What shows a study's numbers: the small plots, the confusion matrix.
#include "tests/support/runner.h"
#include "widgets/look/colour_map.h"
#include "widgets/look/theme.h"
#include "widgets/probe/confusion_map.h"
#include "widgets/study_plots/histogram_plot.h"
#include "widgets/study_plots/layer_map.h"
#include "widgets/study_plots/limited_histogram.h"
#include "widgets/study_plots/spread_plot.h"

#include <qcustomplot.h>
#include <QBuffer>
#include <QPainter>
#include <QSignalSpy>
#include <QSvgGenerator>
#include <QTest>

#include <cmath>
#include <limits>
#include <random>

namespace headroom::testing::study_widgets_test {

using namespace headroom::widgets;

class StudyWidgetsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
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

    /// 77.8 % of 6 tokens cannot be, and 1 is not many.
    void aCellOfTheConfusionMatrixSaysWhatItsShareIsAMeanOf() {
        ConfusionMap map;
        Matrix<double> counts(37, 37);
        counts(0, 0) = 4.0 / 3;
        counts(0, 1) = 14.0 / 3;
        counts(2, 2) = 1;
        map.setCounts(counts, 3);
        const QString first = phoneName(0), second = phoneName(1), third = phoneName(2);
        QCOMPARE(map.describe({0, 1}), first + QStringLiteral(" predicted as ") + second + QStringLiteral(": 77.8\u202f% of 6 tokens, mean over 3 seeds"));
        QCOMPARE(map.describe({2, 2}), third + QStringLiteral(" recognised: 100.0\u202f% of 1 token, mean over 3 seeds"));
        map.setCounts(counts, 1);
        QCOMPARE(map.describe({2, 2}), third + QStringLiteral(" recognised: 100.0\u202f% of 1 token"));
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
        axes.chooses = true;
        plot.setSeries(axes, {{QStringLiteral("a"), {0, 1, 2}, {0.5, NAN, 0.7}, {0.1, NAN, 0.1}, 0, false}});
        connect(&plot, &SpreadPlot::chosen, &plot, [&](double x) { plot.setCurrent(x); });
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
