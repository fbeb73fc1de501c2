// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/study_plots/spread_plot.h"

#include "tests/support/runner.h"
#include "widgets/look/theme.h"

#include <qcustomplot.h>
#include <QFontMetricsF>
#include <QPainter>
#include <QTest>

#include <algorithm>
#include <optional>
#include <utility>

namespace headroom::testing::spread_plot_test {

using namespace headroom::widgets;

class SpreadPlotTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { Theme::apply(QStringLiteral("light")); }

    /// Lengths of a latency study that do not ascend had lines without bands.
    void pointsInAnyOrderHaveTheirBand() {
        SpreadPlot ascending, descending;
        const SpreadPlot::Axes axes{QStringLiteral("Milliseconds"), QStringLiteral("tokens"), 0.0, 4.0};
        ascending.setSeries(axes, {{QString(), {64, 80, 96}, {1, 2, 3}, {0.5, 0.6, 0.7}, 0}});
        descending.setSeries(axes, {{QString(), {96, 80, 64}, {3, 2, 1}, {0.7, 0.6, 0.5}, 0}});
        for (SpreadPlot* plot : {&ascending, &descending})
            plot->resize(400, 200);
        QCOMPARE(descending.grab().toImage(), ascending.grab().toImage());
        descending.setSeries(axes, {{QString(), {96, 80, 64}, {3, 2, 1}, {}, 0}});
        QVERIFY(descending.grab().toImage() != ascending.grab().toImage()); // the band is seen
    }

    void aTitleThatDoesNotFitLosesItsAxisFirstAndIsNeverCut() {
        SpreadPlot plot;
        SpreadPlot::Series one{QString(), {1, 2, 3}, {0.2, 0.5, 0.9}, {}, 0};
        const SpreadPlot::Axes axes{QStringLiteral("Accuracy of the phone probe"), QStringLiteral("layer"), 0.0, 1.0};
        plot.setSeries(axes, {one});
        auto* inner = plot.findChild<QCustomPlot*>();
        const auto title = [inner]() -> const QCPItemText* {
            for (int i = 0; i < inner->itemCount(); ++i)
                if (const auto* text = qobject_cast<QCPItemText*>(inner->item(i)))
                    return text;
            return nullptr;
        };
        QVERIFY(title());
        const QString whole = QStringLiteral("Accuracy of the phone probe by layer");
        const auto advance = [&](const QString& text) { return QFontMetricsF(title()->font()).horizontalAdvance(text); };
        plot.resize(600, 160);
        plot.show();
        QVERIFY(QTest::qWaitForWindowExposed(&plot));
        const double beside = plot.width() - inner->width() + inner->axisRect()->left() + 20;
        const std::pair<double, QString> cases[] = {{advance(whole), whole}, {advance(axes.title), axes.title}, {advance(axes.title) - 40, {}}};
        for (const auto& [room, expected] : cases) {
            plot.resize(int(room + beside), 160);
            plot.setCurrent(1); // draws again at this size
            plot.setCurrent(std::nullopt);
            const QString text = title()->text();
            QVERIFY2(title()->position->pixelPosition().x() + advance(text) <= inner->width(), qPrintable(text));
            if (expected.isEmpty())
                QVERIFY2(text.endsWith(QChar(0x2026)), qPrintable(text));
            else
                QCOMPARE(text, expected);
        }
        plot.setCurrent(2);
        QVERIFY2(plot.toolTip().startsWith(QStringLiteral("Accuracy of the phone probe by layer\n")), qPrintable(plot.toolTip()));
        QVERIFY2(plot.toolTip().contains(QStringLiteral("0.5")), qPrintable(plot.toolTip()));
    }

    /// "0.325" above "0.3".
    void numbersOfAnAxisHaveAsManyDigits() {
        SpreadPlot plot;
        plot.resize(400, 300);
        plot.show();
        SpreadPlot::Axes axes{QStringLiteral("Accuracy"), QStringLiteral("layer"), 0.2, 0.325};
        plot.setSeries(axes, {{QString(), {1, 2, 3}, {0.21, 0.25, 0.32}, {}, 0}}); // a step of 0.025
        const auto* inner = plot.findChild<QCustomPlot*>();
        const QVector<QString> labels = inner->yAxis->tickVectorLabels();
        QVERIFY(labels.size() > 2);
        for (const QString& label : labels)
            QCOMPARE(label.size(), labels.front().size());
    }

    /// A point at the frame was painted by half.
    void pointsAreWholeAtEveryHeight() {
        SpreadPlot plot;
        plot.show();
        const auto* inner = plot.findChild<QCustomPlot*>();
        SpreadPlot::Axes axes{QStringLiteral("minutes"), QStringLiteral("speaker"), 0.0, {}};
        axes.marksPoints = true;
        const auto show = [&](const std::vector<double>& y) { plot.setSeries(axes, {{QString(), {1, 2, 3}, y, {}, 0}}); };
        const auto isWhole = [&](double y) {
            const double pixel = inner->yAxis->coordToPixel(y), radius = 3;
            return pixel - inner->axisRect()->top() >= radius && inner->axisRect()->bottom() - pixel >= radius;
        };
        for (const int height : {90, 130, 200, 400}) {
            axes.high.reset();
            plot.resize(400, height);
            show({1.25, 1, 0.25});
            QVERIFY2(isWhole(1.25), qPrintable(QString::number(height)));
            QCOMPARE(inner->yAxis->range().lower, 0.0); // an end that was set stays …
            axes.high = 1.0;
            show({1, 0.5, 0});
            QVERIFY2(isWhole(1) && isWhole(0), qPrintable(QString::number(height))); // … unless a point stands there
            axes.marksPoints = false;
            show({1, 0.5, 0});
            QCOMPARE(inner->yAxis->range().upper, 1.0); // a line may touch it
            axes.marksPoints = true;
        }
    }

    /// In a low panel a legend inside covered every curve.
    void theNamesOfCurvesStandUnderThePlot() {
        SpreadPlot plot;
        plot.resize(300, 130);
        SpreadPlot::Series one{QStringLiteral("demo"), {1, 2, 3}, {0.2, 0.5, 0.9}, {}, 0},
            two{QStringLiteral("s2t"), {1, 2, 3}, {0.3, 0.4, 0.8}, {}, 1},
            quiet{QString(), {1, 2, 3}, {0.1, 0.2, 0.3}, {}, 0, true};
        plot.setSeries({QStringLiteral("D(w)"), QStringLiteral("w"), 0.0, 1.0}, {one, two, quiet});
        QCOMPARE(plot.keyEntries().size(), std::size_t(2));
        QCOMPARE(plot.keyEntries().back().name, QStringLiteral("s2t"));
        const auto* inner = plot.findChild<QCustomPlot*>();
        QVERIFY(!inner->legend->visible());
        QVERIFY(inner->geometry().bottom() < plot.rect().bottom() - 8); // what the key takes
        plot.setSeries({QStringLiteral("D(w)"), QStringLiteral("w"), 0.0, 1.0}, {one, quiet});
        QVERIFY(plot.keyEntries().empty()); // one curve is named by the title
        quiet.name = QStringLiteral("other layers");
        plot.setSeries({QStringLiteral("D(w)"), QStringLiteral("w"), 0.0, 1.0}, {one, quiet, quiet});
        QCOMPARE(plot.keyEntries().size(), std::size_t(2)); // the grey ones have one name
        QCOMPARE(plot.keyEntries().back().name, quiet.name);
        QCOMPARE(plot.keyEntries().back().pen.color(), Theme::current().buttonBorder);
    }

    /// The frame cut half of a curve at D(w) = 1 and was drawn over it.
    void aCurveAtTheFrameHasItsWholeWidth() {
        SpreadPlot plot;
        plot.resize(400, 300);
        plot.show();
        const SpreadPlot::Axes axes{QStringLiteral("D(w)"), QStringLiteral("w"), 0.0, 1.0};
        const auto* inner = plot.findChild<QCustomPlot*>();
        const auto inkAt = [&](double y) { // of the colour, over the height of the line
            plot.setSeries(axes, {{QString(), {1, 2, 3}, {y, y, y}, {}, 0}});
            const QImage image = const_cast<QCustomPlot*>(inner)->toPixmap().toImage();
            const int x = qRound(inner->xAxis->coordToPixel(2)), middle = qRound(inner->yAxis->coordToPixel(y));
            int sum = 0;
            for (int row = middle - 4; row <= middle + 4; ++row) {
                const QColor colour = image.pixelColor(x, row);
                sum += std::max({colour.red(), colour.green(), colour.blue()}) - std::min({colour.red(), colour.green(), colour.blue()});
            }
            return sum;
        };
        const int inside = inkAt(0.6), atTheFrame = inkAt(1);
        QVERIFY2(inside > 0 && 10 * atTheFrame > 9 * inside, qPrintable(QStringLiteral("%1 and %2").arg(atTheFrame).arg(inside)));
    }

    /// Three rows of names left the axes no height.
    void aKeyTakesNoRoomFromTheAxes() {
        SpreadPlot plot;
        const QSize least = plot.minimumSizeHint();
        std::vector<SpreadPlot::Series> many;
        for (int i = 0; i < 6; ++i)
            many.push_back({QStringLiteral("a model with a long name, %1").arg(i), {1, 2, 3}, {0.1 * i, 0.5, 0.9}, {}, i});
        plot.setSeries({QStringLiteral("D(w)"), QStringLiteral("w"), 0.0, 1.0}, many);
        plot.resize(least.width(), plot.minimumSizeHint().height());
        plot.show();
        QVERIFY(QTest::qWaitForWindowExposed(&plot));
        plot.resize(least.width(), plot.minimumSizeHint().height()); // the rows of this width
        const auto* inner = plot.findChild<QCustomPlot*>();
        QVERIFY2(inner->height() >= least.height() - 8, qPrintable(QString::number(inner->height()))); // 8: the ring of the focus
    }

    /// A click moved the line of the layer and nothing else, and a figure had a line that nobody could explain.
    void aClickMovesTheCurrentLineOnlyWhereItIsFollowed() {
        SpreadPlot plot;
        plot.resize(400, 200);
        SpreadPlot::Axes axes{QStringLiteral("D(w)"), QStringLiteral("w"), 0.0, 1.0};
        axes.place = QStringLiteral("w = %1");
        const SpreadPlot::Series one{QString(), {1, 2, 3}, {0.2, 0.5, 0.9}, {}, 0};
        plot.setSeries(axes, {one});
        plot.setCurrent(1);
        const auto figure = [&] {
            QImage image(plot.figureSize(), QImage::Format_RGB32);
            QPainter painter(&image);
            plot.renderTo(painter, image.rect());
            return image;
        };
        const QImage before = figure(), seen = plot.grab().toImage();
        const auto click = [&] { QTest::mouseClick(&plot, Qt::LeftButton, {}, QPoint(390, 60)); }; // behind the last point
        click();
        QCOMPARE(plot.current(), std::optional(1.0)); // it only reads out …
        QCOMPARE(plot.accessibleDescription(), QStringLiteral("w = 3: 0.90."));
        QVERIFY(plot.grab().toImage() != seen && figure() == before); // … and is no part of a figure
        axes.chooses = true;
        plot.setSeries(axes, {one});
        QCOMPARE(plot.accessibleDescription(), QStringLiteral("w = 1: 0.20."));
        click(); // nobody follows
        QCOMPARE(plot.current(), std::optional(1.0));
        QCOMPARE(plot.grab().toImage(), seen);
        connect(&plot, &SpreadPlot::chosen, &plot, [&](double x) { plot.setCurrent(x); });
        click();
        QCOMPARE(plot.current(), std::optional(3.0));
        QVERIFY(figure() != before);
    }

    void numbersOfALowOrNarrowPlotDoNotTouch() {
        SpreadPlot plot;
        plot.show();
        const auto* inner = plot.findChild<QCustomPlot*>();
        qsizetype most = 0;
        for (const QSize size : {QSize(140, 90), QSize(180, 112), QSize(300, 160), QSize(700, 400)}) {
            plot.resize(size);
            plot.setSeries({QStringLiteral("Milliseconds"), QStringLiteral("tokens"), 0.0, 25.0},
                           {{QString(), {1000, 20000, 100000}, {1, 5, 25}, {}, 0}});
            qsizetype shown = 0;
            for (const QCPAxis* axis : {inner->xAxis, inner->yAxis}) {
                const QFontMetricsF font(axis->tickLabelFont());
                double before = -1e9;
                for (qsizetype i = 0; i < axis->tickVector().size(); ++i) {
                    if (!axis->range().contains(axis->tickVector()[i]))
                        continue;
                    const double at = axis->coordToPixel(axis->tickVector()[i]) * (axis == inner->xAxis ? 1 : -1);
                    const double half = axis == inner->xAxis ? font.horizontalAdvance(axis->tickVectorLabels()[i]) / 2 : font.ascent() / 2;
                    QVERIFY2(at - half >= before, qPrintable(QStringLiteral("%1 at %2 × %3").arg(axis->tickVectorLabels()[i]).arg(size.width()).arg(size.height())));
                    before = at + half;
                    ++shown;
                }
            }
            QVERIFY(shown >= most); // the larger the more, whatever was shown before
            most = shown;
        }
        QVERIFY(most > 8);
    }
};

HEADROOM_TEST(SpreadPlotTest)

} // namespace headroom::testing::spread_plot_test

#include "spread_plot_test.moc"
