// SPDX-License-Identifier: GPL-3.0-or-later
// Small maps: of the measures of mixing, and of the heads of a decoder.
#include "tests/support/runner.h"
#include "widgets/text_map/head_maps.h"
#include "widgets/text_map/measure_tiles.h"
#include "widgets/text_map/small_map.h"

#include <QApplication>
#include <QHelpEvent>
#include <QSignalSpy>
#include <QTest>
#include <QToolTip>

namespace headroom::testing::measure_tiles_test {

using namespace headroom::widgets;

namespace {

std::shared_ptr<const MaxPyramid> mapWith(std::size_t row, std::size_t column) {
    Matrix<float> map(4, 40, 0.01F);
    map(row, column) = 1;
    return std::make_shared<const MaxPyramid>(map);
}

std::vector<MeasureTile> fiveTiles() {
    std::vector<MeasureTile> tiles(5);
    for (std::size_t i = 0; i < 4; ++i) {
        tiles[i].title = QStringLiteral("Measure %1").arg(i + 1);
        tiles[i].map = mapWith(i, 10 * i);
    }
    tiles[4].title = QStringLiteral("Slow");
    tiles[4].sentence = QStringLiteral("Click to compute it.");
    return tiles;
}

} // namespace

class MeasureTilesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void tilesStandInRowsOfThree() {
        MeasureTiles tiles;
        tiles.resize(600, 400);
        tiles.setTiles(fiveTiles());
        QCOMPARE(tiles.tileRect(0).top(), tiles.tileRect(2).top());
        QVERIFY(tiles.tileRect(3).top() > tiles.tileRect(0).bottom());
        QCOMPARE(tiles.tileRect(3).left(), tiles.tileRect(0).left());
        QVERIFY(tiles.tileRect(2).right() < 600);
        for (int tile = 0; tile < 5; ++tile)
            QCOMPARE(tiles.tileAt(tiles.tileRect(tile).center()), tile);
        QCOMPARE(tiles.tileAt(QPoint(599, 399)), -1);
        QVERIFY(tiles.tileRect(4).bottom() < tiles.heightForWidth(600));
    }

    void aClickChoosesAndSoDoTheKeys() {
        MeasureTiles tiles;
        tiles.resize(600, 400);
        tiles.setTiles(fiveTiles());
        QSignalSpy chosen(&tiles, &MeasureTiles::tileChosen);
        QTest::mouseClick(&tiles, Qt::LeftButton, {}, tiles.tileRect(1).center());
        QCOMPARE(chosen.takeFirst().front().toInt(), 1);
        QTest::keyClick(&tiles, Qt::Key_Down);
        QCOMPARE(tiles.current(), 4);
        QCOMPARE(tiles.accessibleDescription(), QStringLiteral("Slow"));
        QVERIFY(chosen.isEmpty()); // not before Enter
        QTest::keyClick(&tiles, Qt::Key_Return);
        QCOMPARE(chosen.takeFirst().front().toInt(), 4);
        QTest::keyClick(&tiles, Qt::Key_Right);
        QCOMPARE(tiles.current(), 4); // the last one
        QTest::keyClick(&tiles, Qt::Key_Left);
        QCOMPARE(tiles.current(), 3);
        QTest::keyClick(&tiles, Qt::Key_Space);
        QCOMPARE(chosen.takeFirst().front().toInt(), 3);
        tiles.setTiles({});
        QCOMPARE(tiles.current(), -1);
    }

    void aTitleThatIsCutIsWholeInTheToolTip() {
        MeasureTiles tiles;
        std::vector<MeasureTile> one(1);
        one[0].title = QStringLiteral("Attention × norm of the values");
        one[0].toolTip = QStringLiteral("What the weights leave of the values.");
        tiles.setTiles(one);
        const auto tipAt = [&tiles](int width) {
            tiles.resize(width, 200);
            const QPoint at = tiles.tileRect(0).center();
            QHelpEvent event(QEvent::ToolTip, at, tiles.mapToGlobal(at));
            QApplication::sendEvent(&tiles, &event);
            return QToolTip::text();
        };
        QCOMPARE(tipAt(3000), one[0].toolTip);
        QCOMPARE(tipAt(300), one[0].title + QLatin1Char('\n') + one[0].toolTip);
    }

    void theFrameStaysWhereTheKeysPutItUntilAnotherMeasureIsShown() {
        MeasureTiles tiles;
        tiles.setTiles(fiveTiles());
        tiles.setCurrent(0);
        QTest::keyClick(&tiles, Qt::Key_Right);
        tiles.setCurrent(0); // as an answer of the worker does
        QCOMPARE(tiles.current(), 1);
        QCOMPARE(tiles.shown(), 0);
        tiles.setCurrent(2);
        QCOMPARE(tiles.current(), 2);
    }

    void aReducedMapShowsItsMaximum() {
        const auto map = mapWith(2, 31);
        const QImage image =
            smallMap(*map, QSize(10, 4), SmallMapRange::Maximum, ColourMap::Name::Grey, 1, 1);
        QCOMPARE(image.size(), QSize(10, 4));
        int brightest = -1, place = -1;
        for (int i = 0; i < 40; ++i)
            if (const int grey = qGray(image.pixel(i % 10, i / 10)); grey > brightest) {
                brightest = grey;
                place = i;
            }
        int darkest = 256, dark = -1; // grey is dark for large values in the light theme
        for (int i = 0; i < 40; ++i)
            if (const int grey = qGray(image.pixel(i % 10, i / 10)); grey < darkest) {
                darkest = grey;
                dark = i;
            }
        QVERIFY(place == 27 || dark == 27); // row 2, column 31 of 40 in 10
    }

    void theColoursEndAtThePercentile() {
        Matrix<float> values(10, 10, 0.5F);
        values(0, 0) = 40;
        QCOMPARE(percentileRange(values).high, 0.5);
        QCOMPARE(percentileRange(Matrix<float>()).high, 1.0);
        QCOMPARE(percentileRange(Matrix<float>(2, 2, 0)).high, 1.0);
    }

    void headsShareTheRoomWithinLimits() {
        HeadMaps heads;
        heads.setMaps({{mapWith(0, 0), mapWith(1, 1)}, {mapWith(2, 2), mapWith(3, 3)}});
        heads.resize(heads.sizeHint());
        const QSize usual = heads.cellRect(1, 1).size();
        heads.resize(4 * heads.sizeHint());
        QCOMPARE(heads.cellRect(1, 1).size(), 2 * usual); // not larger: a map says no more then
        heads.resize(heads.minimumSizeHint());
        const QSize least = heads.cellRect(1, 1).size();
        QVERIFY(least.width() < usual.width() && least.height() < usual.height());
        QVERIFY(QRect(QPoint(), heads.size()).contains(heads.cellRect(2, 2)));
        heads.resize(1, 1);
        QCOMPARE(heads.cellRect(1, 1).size(), least); // nor smaller: it scrolls
    }
};

HEADROOM_TEST(MeasureTilesTest)

} // namespace headroom::testing::measure_tiles_test

#include "measure_tiles_test.moc"
