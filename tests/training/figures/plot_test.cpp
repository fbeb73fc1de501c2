// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/figures/heat_map.h"
#include "training/figures/look.h"
#include "core/alignment/phone_order.h"
#include "training/figures/plot.h"
#include "tests/support/runner.h"

#include <QTest>

#include <array>
#include <cmath>
#include <set>

namespace headroom::testing::plot_test {

using namespace headroom::figures;

class PlotTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void ticksAreRoundNumbersInsideTheAxis() {
        const Ticks ticks = niceTicks(0.13, 1.02, 5);
        QCOMPARE(ticks.labels, (std::vector<std::string>{"0.2", "0.4", "0.6", "0.8", "1.0"}));
        QCOMPARE(niceTicks(-30, 30, 3).labels, (std::vector<std::string>{"−20", "0", "20"}));
        QCOMPARE(niceTicks(0, 1.5, 3, 1).labels, (std::vector<std::string>{"0", "1"})); // there are no halves of what is counted
        QCOMPARE(niceTicks(0, 60, 3, 1).labels, (std::vector<std::string>{"0", "20", "40", "60"}));
        QVERIFY(niceTicks(1, 1, 5).at.empty());
        QVERIFY(niceTicks(std::nan(""), 1, 5).at.empty());
    }
    void logarithmicTicksThinOut() {
        QCOMPARE(logTicks(1, 200).labels,
                 (std::vector<std::string>{"1", "2", "5", "10", "20", "50", "100", "200"}));
        QCOMPARE(logTicks(1, 200, 5).labels, (std::vector<std::string>{"1", "10", "100"}));
    }
    void countsBeginAtOneAndEndAtTheLast() {
        QCOMPARE(countTicks(12, 16).at.size(), std::size_t(12));
        QCOMPARE(countTicks(48, 8).labels, (std::vector<std::string>{"1", "10", "20", "30", "40", "48"}));
        QCOMPARE(countTicks(1, 8).labels, (std::vector<std::string>{"1"}));
        QVERIFY(countTicks(0, 8).at.empty());
    }
    /// D(w) = 1 was cut to half its width.
    void aLineOnASideOfTheFrameIsNotCut() {
        Scene scene;
        const Stroke stroke{kText, 1.2, {}};
        Plot plot(scene, {10, 20, 100, 50}, {"w", 0, 1, {}, false, true, false}, {"D", 0, 1, {}, false, true, false});
        const std::array<double, 2> x{0, 1}, y{1, 1};
        plot.line(x, y, stroke);
        plot.close();
        const Clip* clip = nullptr;
        for (const auto& item : scene.items)
            if (const auto* one = std::get_if<Clip>(&item))
                clip = one;
        QVERIFY(clip && clip->box.y <= plot.y(1) - stroke.width / 2 && clip->box.bottom() >= plot.y(0) + stroke.width / 2);
        QCOMPARE(clip->box.x, 10.0);
        QCOMPARE(clip->box.width, 100.0);
    }
    void numbersAreWrittenAsTheHouseWritesThem() {
        QCOMPARE(numberText(-1234567.25, 1), std::string("−1,234,567.2"));
        QCOMPARE(numberText(-0.001, 2), std::string("0.00"));
        QCOMPARE(numberText(std::nan(""), 2), std::string("–"));
    }
    void niceCeilingIsNeverBelow() {
        for (double value = 0.0013; value < 5e5; value *= 1.37) {
            QVERIFY(niceCeiling(value) >= value * (1 - 1e-9));
            QVERIFY(niceCeiling(value) <= value * 1.5);
        }
    }
    void marksBecomeSubAndSuperscripts() {
        QCOMPARE(runs("C_{ij} of 10^{3}"), (std::vector<TextRun>{{"C", Script::Normal},
                                                                 {"ij", Script::Sub},
                                                                 {" of 10", Script::Normal},
                                                                 {"3", Script::Super}}));
        QCOMPARE(plainText(runs("model_name^2 \\_{x}")), std::string("model_name^2 _{x}"));
        QCOMPARE(runs("a_{open").size(), std::size_t(1));
    }
    void widthsAddUp() {
        QVERIFY(std::abs(textWidth(runs("00"), 10) - 11.44) < 1e-9); // two digits of 572/1000
        QVERIFY(textWidth(runs("WW"), 8, true) > textWidth(runs("WW"), 8));
        QVERIFY(textWidth(runs("x_{0}"), 10) < textWidth(runs("x0"), 10));
        QVERIFY(textWidth({{"\xff\xc3", Script::Normal}}, 10) > 0); // no UTF-8: no harm
    }
    void valuesFindTheirPlaces() {
        Scene scene;
        Plot plot(scene, {10, 20, 100, 50}, {"", 1, 100, {}, true}, {"", 0, 2, {}, false});
        QCOMPARE(plot.x(10), 60.0);
        QCOMPARE(plot.y(2), 20.0);
        QCOMPARE(plot.y(0), 70.0);
    }
    void undefinedPointsBreakALine() {
        Scene scene;
        Plot plot(scene, {0, 0, 100, 100}, {"", 0, 4, {}}, {"", 0, 1, {}});
        const auto before = scene.items.size();
        const std::vector<double> xs{0, 1, 2, 3, 4}, ys{0, 1, std::nan(""), 1, 0};
        plot.line(xs, ys, {});
        QCOMPARE(scene.items.size(), before + 2);
        plot.band(xs, ys, ys, {});
        QCOMPARE(scene.items.size(), before + 4);
    }
    void markersAreWholeAlsoOnTheAxes() {
        Scene scene;
        Plot plot(scene, {10, 10, 100, 100}, {"", 0, 4, {}}, {"", 0, 1, {}});
        plot.marker(0, 0, 0, kAccent);
        plot.close();
        int clipped = 0, markers = 0;
        for (const Item& item : scene.items) {
            clipped += std::holds_alternative<Clip>(item) - std::holds_alternative<EndClip>(item);
            if (std::holds_alternative<Area>(item)) {
                QCOMPARE(clipped, 0);
                ++markers;
            }
        }
        QCOMPARE(markers, 1);
        QCOMPARE(clipped, 0);
    }
    void legendsWrapInsideTheirWidth() {
        const std::vector<LegendEntry> entries(6, LegendEntry{"a name of some length", {}});
        const double wide = drawLegend(nullptr, {}, 1000, entries),
                     narrow = drawLegend(nullptr, {}, 200, entries);
        QVERIFY(narrow >= 3 * wide);
        Scene scene;
        QCOMPARE(drawLegend(&scene, {}, 200, entries), narrow);
        for (const Item& item : scene.items)
            if (const auto* text = std::get_if<Text>(&item))
                QVERIFY(text->at.x + textWidth(text->runs, text->size) <= 200);
    }
    void layersDifferInColourAndNeighboursInDash() {
        std::set<std::string> colours;
        for (int layer = 1; layer <= 16; ++layer) {
            colours.insert(layerStroke(layer, 16).colour.hex());
            if (layer > 1)
                QVERIFY(layerStroke(layer, 16).dash != layerStroke(layer - 1, 16).dash);
        }
        QCOMPARE(colours.size(), std::size_t(16));
        for (std::size_t a = 0; a < 12; ++a)
            for (std::size_t b = 0; b < a; ++b)
                QVERIFY(seriesStroke(a).colour != seriesStroke(b).colour ||
                        seriesStroke(a).dash != seriesStroke(b).dash);
    }
    void manyCellsAreJoinedByTheirLargest() {
        Matrix<double> values(4000, 4000, 0.0);
        for (std::size_t k = 0; k < 4000; ++k)
            values(k, k) = 1;
        Scene scene;
        ColourScale scale;
        drawCells(scene, {0, 0, 72, 72}, values, scale);
        const auto& image = std::get<Image>(scene.items[1]);
        QVERIFY(image.rows <= 600);
        const Colour bright = ColourRamp(scale.scheme).at(1);
        for (std::size_t k = 0; k < image.rows; ++k)
            QCOMPARE(int(image.rgb[(k * image.columns + k) * 3]), int(bright.red));
    }
    void undefinedCellsHaveTheirOwnColour() {
        Matrix<double> values(1, 2, 0.5);
        values(0, 1) = std::nan("");
        Scene scene;
        drawCells(scene, {0, 0, 10, 5}, values, {}, {}, kHidden);
        const auto& image = std::get<Image>(scene.items[1]);
        QCOMPARE(int(image.rgb[3]), int(kHidden.red));
        QVERIFY(image.rgb[0] != image.rgb[3]);
    }
    void scalesAreReadAsTheyAreDrawn() {
        ColourScale scale{ColourScheme::Viridis, 0.25, 4, true, 1, {}, {}};
        QVERIFY(std::abs(scale.share(1) - 0.5) < 1e-12);
        QCOMPARE(scale.share(100), 1.0);
        QCOMPARE(scale.share(0), 0.0);
        scale = {ColourScheme::Magma, 0, 2, false, 0.5, {}, {}};
        QVERIFY(std::abs(scale.share(0.5) - 0.5) < 1e-12);
    }
    void everyPhoneHasOnePlace() {
        const auto order = phoneOrder();
        QCOMPARE(std::set<int>(order.begin(), order.end()).size(), std::size_t(36));
        QCOMPARE(order.size(), std::size_t(36));
        for (const int phone : order)
            QVERIFY(phone >= 0 && phone < 36);
    }
};

HEADROOM_TEST(PlotTest)

} // namespace headroom::testing::plot_test

#include "plot_test.moc"
