// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/runner.h"
#include "tests/widgets/matrix/sample_maps.h"
#include "widgets/matrix/band_shape.h"
#include "widgets/matrix/map_raster.h"
#include "widgets/matrix/matrix_mapping.h"
#include "widgets/matrix/matrix_view.h"
#include "widgets/matrix/row_profile.h"

#include "core/analysis/diagonality.h"

#include <QTest>

#include <cmath>
#include <random>

namespace headroom::testing::map_raster_test {

using namespace headroom::widgets;

namespace {

/// Token t covers [t, t + 1) of this clock's seconds.
const TokenClock kUnitClock = TokenClock::affine(Seconds(0.5), Seconds(1));

Matrix<float> noise(std::size_t tokens) {
    std::mt19937 generator(7);
    std::uniform_real_distribution<float> uniform(0, 1);
    Matrix<float> map(tokens, tokens);
    for (auto& value : map.values())
        value = uniform(generator);
    return map;
}

float bruteForce(const Matrix<float>& map, CellRange rows, CellRange columns, bool hideDiagonal) {
    float best = -1;
    for (auto row = rows.first; row < rows.last; ++row)
        for (auto column = columns.first; column < columns.last; ++column)
            if (!hideDiagonal || row != column)
                best = std::max(best, map(static_cast<std::size_t>(row), static_cast<std::size_t>(column)));
    return best;
}

} // namespace

class MapRasterTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void patchesOfAColumnAreCellsSideBySide() {
        const TokenClock clock = TokenClock::affine(Seconds(0.5), Seconds(1), 4); // cells of a quarter of a second
        const auto cells = cellsOfPixels({Seconds(0), Seconds(3)}, 24, clock, 12);
        for (std::size_t pixel = 0; pixel < 24; ++pixel)
            QCOMPARE(cells[pixel], (CellRange{std::int32_t(pixel / 2), std::int32_t(pixel / 2 + 1)}));
        const MatrixMapping mapping{QRectF(0, 0, 300, 300), {Seconds(0), Seconds(3)}, {Seconds(0), Seconds(3)}, clock, 12};
        QCOMPARE(mapping.tokenWidth(), 25.0);
        for (std::int64_t token = 0; token < 12; ++token) {
            QVERIFY(std::abs(mapping.xOf(clock.cellStart(Tokens(token))) - 25.0 * double(token)) < 1e-9);
            QVERIFY(std::abs(mapping.indexAt(clock.cellCentre(Tokens(token))) - (double(token) + 0.5)) < 1e-9);
            QVERIFY(std::abs((mapping.edge(double(token)) - clock.cellStart(Tokens(token))).value()) < 1e-12);
        }
    }

    void reducedMapsShowTheExactMaximum_data() {
        QTest::addColumn<int>("tokens");
        QTest::addColumn<int>("pixels");
        QTest::addColumn<bool>("hideDiagonal");
        for (const int tokens : {37, 333})
            for (const int pixels : {11, 50, 160, 700})
                for (const bool hide : {false, true})
                    QTest::addRow("%d tokens on %d pixels%s", tokens, pixels, hide ? ", hidden" : "")
                        << tokens << pixels << hide;
    }

    void reducedMapsShowTheExactMaximum() {
        QFETCH(int, tokens);
        QFETCH(int, pixels);
        QFETCH(bool, hideDiagonal);
        const Matrix<float> cells = noise(static_cast<std::size_t>(tokens));
        const MaxPyramid map(cells);
        // A span that begins and ends inside cells, and reaches over the matrix's end.
        const TimeSpan span{Seconds(2.3), Seconds(tokens + 1.6)};
        const auto columns = cellsOfPixels(span, pixels, kUnitClock, tokens);
        const auto rows = cellsOfPixels(span, pixels / 2 + 1, kUnitClock, tokens);
        const auto values = sampleMap(map, rows, columns, hideDiagonal);
        for (std::size_t y = 0; y < rows.size(); ++y)
            for (std::size_t x = 0; x < columns.size(); ++x) {
                const float value = values(y, x);
                if (rows[y].empty() || columns[x].empty()) {
                    QCOMPARE(value, kOutside);
                    continue;
                }
                const float expected = bruteForce(cells, rows[y], columns[x], hideDiagonal);
                if (expected < 0)
                    QVERIFY(std::isnan(value)); // only the hidden diagonal in this pixel
                else
                    QCOMPARE(value, expected);
            }
    }

    void aOneTokenDiagonalIsWholeAtEveryZoom() {
        constexpr std::int64_t kTokens = 1052;
        Matrix<float> cells(kTokens, kTokens);
        for (std::size_t token = 0; token < kTokens; ++token)
            cells(token, token) = 1;
        const MaxPyramid map(cells);
        for (const int pixels : {17, 75, 105, 263, 600, 1052, 1500, 3000}) {
            const auto range = cellsOfPixels({Seconds(0), Seconds(kTokens)}, pixels, kUnitClock, kTokens);
            const auto values = sampleMap(map, range, range, false);
            for (std::size_t pixel = 0; pixel < range.size(); ++pixel)
                QCOMPARE(values(pixel, pixel), 1.0F);
        }
    }

    void enlargedTokensAreNearestAndEvenlyWide() {
        const auto cells = cellsOfPixels({Seconds(0), Seconds(10)}, 100, kUnitClock, 10);
        for (int pixel = 0; pixel < 100; ++pixel)
            QCOMPARE(cells[static_cast<std::size_t>(pixel)], (CellRange{pixel / 10, pixel / 10 + 1}));
    }

    void undefinedCellsAreLeftOutOfTheMaximum() {
        Matrix<float> cells(4, 4, std::numeric_limits<float>::quiet_NaN());
        cells(0, 1) = 0.5F;
        const auto range = cellsOfPixels({Seconds(0), Seconds(4)}, 2, kUnitClock, 4);
        const auto values = sampleMap(MaxPyramid(cells), range, range, false);
        QCOMPARE(values(0, 0), 0.5F);
        QVERIFY(std::isnan(values(1, 1)));
    }

    void theRangeLeavesTheDiagonalOut() {
        Matrix<float> cells(101, 101);
        for (std::size_t row = 0; row < 101; ++row)
            for (std::size_t column = 0; column < 101; ++column)
                cells(row, column) = row == column ? 100.0F : static_cast<float>(row * 101 + column);
        const auto range = offDiagonalRange(cells.view());
        QCOMPARE(range.low, 0.0);
        QVERIFY(std::abs(range.high - 0.99 * 101 * 101) < 101);
        const auto fallback = offDiagonalRange(Matrix<float>(1, 1, 0.25F).view());
        QCOMPARE(fallback.high, 0.25);
    }

    void coloursFollowGammaAndMarkHiddenCells() {
        const auto& magma = ColourMap::named(ColourMap::Name::Magma);
        const ColourTable table(magma, 0.5, qRgb(1, 2, 3));
        Matrix<float> values(
            1, 5, std::vector<float>{0, 0.25F, 2, std::numeric_limits<float>::quiet_NaN(), kOutside});
        const QImage image = table.colour(values, {0, 1});
        QCOMPARE(image.pixel(0, 0), magma.at(0));
        QCOMPARE(image.pixel(1, 0), magma.at(0.5)); // √0.25
        QCOMPARE(image.pixel(2, 0), magma.at(1));   // clipped
        QCOMPARE(image.pixel(3, 0), qRgb(1, 2, 3));
        QCOMPARE(qAlpha(image.pixel(4, 0)), 0);
        for (int x = 0; x < 5; ++x)
            QCOMPARE(table.colourOf(values(0, static_cast<std::size_t>(x)), {0, 1}), image.pixel(x, 0));
    }

    void blockLossIsTheSumOutsideTheStairs() {
        const Matrix<float> cells = noise(23);
        const BandShape shape{BandShape::Kind::Block, 15}; // blocks of 5
        double outside = 0, total = 0;
        for (std::size_t row = 0; row < 23; ++row)
            for (std::size_t column = 0; column < 23; ++column) {
                total += static_cast<double>(cells(row, column));
                if (std::abs(static_cast<int>(row / 5) - static_cast<int>(column / 5)) > 1)
                    outside += static_cast<double>(cells(row, column));
            }
        QVERIFY(std::abs(BlockLoss(cells.view()).loss(shape) - outside / total) < 1e-12);
        QVERIFY(std::isnan(BlockLoss().loss(shape)));
        // A centred shape counted the same way must agree with the diagonal profile.
        const BandShape centred{BandShape::Kind::Centred, 7};
        QVERIFY(std::abs(BlockLoss(cells.view()).loss(centred) -
                         contributionLoss(DiagonalProfile(cells.view()), 7)) < 1e-9);
    }

    void bandEdgesPassBetweenTheLastCellInsideAndTheFirstOutside() {
        const MatrixMapping mapping{
            QRectF(0, 0, 200, 200), {Seconds(0), Seconds(20)}, {Seconds(0), Seconds(20)}, kUnitClock, 20};
        const auto edges = bandEdges(mapping, {BandShape::Kind::Centred, 5});
        // ±2 tokens: at the middle of row 0 (0.5) the edge stands at the right side of key 2 (3.0).
        QCOMPARE(edges.upper.first(), QPointF(25, 0));
        QVERIFY(edges.distance(QPointF(30, 5)) < 1e-9);
        QVERIFY(edges.distance(QPointF(5, 30)) < 1e-9);
        const auto area = bandArea(mapping, {BandShape::Kind::Centred, 5});
        for (int query = 0; query < 20; ++query)
            for (int key = 0; key < 20; ++key)
                QCOMPARE(area.contains(QPointF(key * 10 + 5, query * 10 + 5)), std::abs(query - key) <= 2);
        const BandShape masked{BandShape::Kind::Masked, 5}, mask{BandShape::Kind::Masked, 0};
        QCOMPARE(masked.keysOf(7, 20), (std::pair<std::int64_t, std::int64_t>(5, 8)));
        QCOMPARE(mask.keysOf(7, 20), (std::pair<std::int64_t, std::int64_t>(0, 8)));
        QVERIFY(!mask.full() && bandEdges(mapping, mask).lower.isEmpty());
        QCOMPARE(bandEdges(mapping, masked).lower, edges.lower);
        QCOMPARE(bandEdges(mapping, masked).upper, bandEdges(mapping, mask).upper);
        const auto blocks = bandArea(mapping, {BandShape::Kind::Block, 12}); // blocks of 4
        for (int query = 0; query < 20; ++query)
            for (int key = 0; key < 20; ++key)
                QCOMPARE(blocks.contains(QPointF(key * 10 + 5, query * 10 + 5)),
                         std::abs(query / 4 - key / 4) <= 1);
        QVERIFY(bandEdges(mapping, {BandShape::Kind::Centred, 0}).empty());
        QVERIFY(bandEdges(mapping, {BandShape::Kind::Centred, 41}).empty());
    }

    void aReducedDifferenceKeepsTheEndFartherFromZero() {
        Matrix<float> cells = noise(333);
        for (float& value : cells.values())
            value = (value - 0.5F) * std::abs(value - 0.5F);
        Matrix<float> turned = cells;
        for (float& value : turned.values())
            value = -value;
        const MaxPyramid map(cells), negated(turned);
        const TimeSpan all{Seconds(0), Seconds(333)};
        for (const int pixels : {20, 100, 700})
            for (const bool hide : {false, true}) {
                const auto ranges = cellsOfPixels(all, pixels, kUnitClock, 333);
                const auto values = sampleDifference(map, negated, ranges, ranges, hide);
                for (std::size_t y = 0; y < ranges.size(); ++y)
                    for (std::size_t x = 0; x < ranges.size(); ++x) {
                        float expected = 0;
                        for (auto row = ranges[y].first; row < ranges[y].last; ++row)
                            for (auto column = ranges[x].first; column < ranges[x].last; ++column)
                                if (const float value = cells(std::size_t(row), std::size_t(column));
                                    (!hide || row != column) && std::abs(value) > std::abs(expected))
                                    expected = value;
                        if (expected != 0)
                            QCOMPARE(values(y, x), expected);
                        else
                            QVERIFY(std::isnan(values(y, x))); // only the hidden diagonal
                    }
            }
    }

    /// A map of a part of the sound: outside of it no row is under the cursor.
    void outsideThePartOfAMapThereIsNoToken() {
        const TokenClock clock = TokenClock::affine(Seconds(20.5), Seconds(1)); // 10 tokens from 20 to 30 s
        const auto under = [&](double time, double extent = 100) {
            return tokenUnder(Seconds(time), clock, Tokens(10), Seconds(extent));
        };
        QVERIFY(!under(0) && !under(19.9) && !under(30) && !under(80));
        QVERIFY(under(20) == Tokens(0) && under(24.5) == Tokens(4) && under(29.9) == Tokens(9));
        QVERIFY(under(31.5, 31.6) == Tokens(9)); // what the front end left over at the end of the sound
        QVERIFY(tokenUnder(Seconds(0), kUnitClock, Tokens(10), Seconds(10)) == Tokens(0));
        QVERIFY(tokenUnder(Seconds(0), TokenClock::affine(Seconds(1.6), Seconds(1)), Tokens(10),
                           Seconds(12)) == Tokens(0));

        // The first token of a large patch stands far behind the start of the part, which it hears all the same.
        const TimeSpan part{Seconds(17), Seconds(34)};
        const auto inPart = [&](double time) { return tokenUnder(Seconds(time), clock, Tokens(10), Seconds(100), part); };
        QVERIFY(inPart(17) == Tokens(0) && inPart(19.9) == Tokens(0) && inPart(30) == Tokens(9) && inPart(34) == Tokens(9));
        QVERIFY(!inPart(16.9) && !inPart(34.1));

        TimeAxis axis;
        axis.setExtent(Seconds(100));
        RowProfile row;
        LayerMatrixView view;
        row.setAxis(&axis);
        view.setAxis(&axis);
        const auto map = std::make_shared<const MaxPyramid>(noise(10));
        row.setMatrix(map, clock);
        view.setMatrix(map, clock);
        axis.setCursor(Seconds(24.5));
        QVERIFY(row.row() == Tokens(4) &&
                view.accessibleDescription().contains(QStringLiteral("Query token 4")));
        axis.setCursor(Seconds(80));
        QVERIFY(!row.row() && !view.accessibleDescription().contains(QStringLiteral("Query token")));
        QTest::keyClick(&view, Qt::Key_Left); // from the nearest row
        QCOMPARE(axis.cursor()->value(), 28.5);
        axis.setCursor(Seconds(17)); // where the part begins
        QVERIFY(!row.row());
        row.setPart(part);
        view.setPart(part);
        QVERIFY(row.row() == Tokens(0) && view.accessibleDescription().contains(QStringLiteral("Query token 0")));
    }

    void aDifferenceIsColouredEvenlyToBothSides() {
        const ColourMap& map = ColourMap::named(ColourMap::Name::Difference);
        const auto table = ColourTable::aboutMiddle(map, 0.5, qRgb(1, 2, 3));
        const ValueRange range{-2, 2};
        QCOMPARE(table.colourOf(0, range), map.at(0.5));
        QCOMPARE(table.colourOf(-2, range), map.at(0));
        QCOMPARE(table.colourOf(2, range), map.at(1));
        const auto close = [](QRgb one, QRgb other) {
            return std::abs(qRed(one) - qRed(other)) + std::abs(qGreen(one) - qGreen(other)) +
                       std::abs(qBlue(one) - qBlue(other)) <=
                   3;
        };
        QVERIFY(close(table.colourOf(0.5F, range), map.at(0.75))); // (1 + √¼)/2
        QVERIFY(close(table.colourOf(-0.5F, range), map.at(0.25)));
        QCOMPARE(differenceRange(Matrix<float>(2, 2, {9, -3, 2, 9}).view()), (ValueRange{-3, 3}));
    }
};

HEADROOM_TEST(MapRasterTest)

} // namespace headroom::testing::map_raster_test

#include "map_raster_test.moc"
