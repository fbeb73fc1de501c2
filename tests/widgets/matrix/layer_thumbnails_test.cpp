// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/runner.h"
#include "tests/widgets/matrix/sample_maps.h"
#include "widgets/look/theme.h"
#include "widgets/matrix/layer_thumbnails.h"

#include <QHelpEvent>
#include <QSignalSpy>
#include <QTest>
#include <QToolTip>

namespace headroom::testing::layer_thumbnails_test {

using namespace headroom::widgets;

class LayerThumbnailsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { Theme::apply(QStringLiteral("light")); }

    void thumbnailsSelectAndCompare() {
        LayerThumbnails layers;
        std::vector<ThumbnailState> states(6);
        for (auto& state : states) {
            const auto map = testing::ridge(60, 3);
            state.status = ThumbnailState::Status::Ready;
            state.profile = DiagonalProfile(map.view());
            state.map = testing::pyramidOf(map);
        }
        layers.setLayers(std::move(states));
        layers.resize(500, layers.heightForWidth(500));
        layers.show();
        QSignalSpy selected(&layers, &LayerThumbnails::layerSelected);
        QSignalSpy compared(&layers, &LayerThumbnails::layerCompared);
        QTest::mouseClick(&layers, Qt::LeftButton, {}, layers.mapRect(2).center());
        QCOMPARE(selected.last()[0].toInt(), 2);
        QTest::mouseClick(&layers, Qt::LeftButton, Qt::ShiftModifier, layers.mapRect(4).center());
        QCOMPARE(compared.last()[0].toInt(), 4);
        QCOMPARE(layers.current(), 2);
        QTest::mouseClick(&layers, Qt::LeftButton, Qt::ShiftModifier, layers.mapRect(4).center());
        QCOMPARE(compared.last()[0].toInt(), -1);
        QTest::keyClick(&layers, Qt::Key_PageDown);
        QCOMPARE(layers.current(), 3);
        QTest::keyClick(&layers, Qt::Key_Up);
        QCOMPARE(layers.current(), 3); // nothing above the first row
        QTest::keyClick(&layers, Qt::Key_End);
        QTest::keyClick(&layers, Qt::Key_Up);
        QCOMPARE(layers.current(), 1);
        QCOMPARE(layers.lossOf(1), 0.0);
        layers.setWindow(1, {BandShape::Kind::Centred, 5});
        QVERIFY(layers.lossOf(1) > 0);
        QVERIFY(layers.accessibleDescription().contains(QStringLiteral("window 5")));
        ThumbnailState reusing;
        reusing.status = ThumbnailState::Status::Ready;
        reusing.kinds = QStringLiteral("reuse 1");
        layers.setLayer(1, reusing);
        QVERIFY(std::isnan(layers.lossOf(1)));
        QCOMPARE(layers.accessibleDescription(), QStringLiteral("Layer 2 of 6, reuse 1"));
    }

    /// A model of 3 layers gives way to one of 2 while its last is shown.
    void thumbnailsOfFewerLayersForgetTheLayerThatIsGone() {
        for (const int before : {1, 2, 3, 24})
            for (const int after : {0, 1, 2, 3, 24}) {
                LayerThumbnails layers;
                layers.setLayers(std::vector<ThumbnailState>(static_cast<std::size_t>(before)));
                layers.setCurrent(before - 1);
                layers.setCompared(before - 1);
                layers.setLayers(std::vector<ThumbnailState>(static_cast<std::size_t>(after)));
                QCOMPARE(layers.count(), after);
                QCOMPARE(layers.current(), before <= after ? before - 1 : -1);
                QVERIFY(layers.accessibleDescription().startsWith(after == 0        ? QStringLiteral("No layers yet.")
                                                                  : before <= after ? QStringLiteral("Layer %1 of").arg(before)
                                                                  : after == 1      ? QStringLiteral("1 layer, not selected")
                                                                                    : QStringLiteral("%1 layers").arg(after)));
            }
    }

    /// "4 w 13 CL 0.211" became "4 CL 0.211".
    void theWindowStaysBelowANarrowMap() {
        LayerThumbnails layers;
        ThumbnailState state;
        state.status = ThumbnailState::Status::Ready;
        state.shape.window = 13;
        state.map = testing::pyramidOf(testing::ridge(60, 3));
        state.loss = 0.211;
        layers.setLayers(std::vector<ThumbnailState>(4, state));
        const auto labelWith = [&](int width, int window, double loss) {
            layers.resize(width, layers.heightForWidth(width));
            layers.setWindow(0, {BandShape::Kind::Centred, window}, {}, loss);
            const QRect cell = layers.cellRect(0);
            return layers.grab(QRect(cell.left(), layers.mapRect(0).bottom() + 4, cell.width(), cell.bottom() - layers.mapRect(0).bottom() - 4)).toImage();
        };
        int narrow = 0;
        for (const int width : {460, 420, 380, 360, 340}) {
            QVERIFY2(labelWith(width, 13, 0.211) != labelWith(width, 15, 0.211), qPrintable(QString::number(width)));
            narrow = labelWith(width, 13, 0.211) != labelWith(width, 13, 0.212) ? width : narrow;
        }
        QVERIFY(narrow > 0);
        // Below that, the last digit goes before the number does.
        int width = narrow;
        while (labelWith(width, 13, 0.211) != labelWith(width, 13, 0.212))
            --width;
        QVERIFY(labelWith(width, 13, 0.211) != labelWith(width, 13, 0.221));
    }

    /// The line below a narrow map leaves CL out.
    void theTipOfASmallMapNamesItsWindow() {
        LayerThumbnails layers;
        ThumbnailState state;
        state.status = ThumbnailState::Status::Ready;
        state.shape.window = 13;
        const auto map = testing::ridge(60, 3);
        state.profile = DiagonalProfile(map.view());
        state.map = testing::pyramidOf(map);
        layers.setLayers({state});
        layers.resize(120, layers.heightForWidth(120));
        layers.show();
        const QPoint at = layers.mapRect(0).center();
        QHelpEvent asked(QEvent::ToolTip, at, layers.mapToGlobal(at));
        QCoreApplication::sendEvent(&layers, &asked);
        QVERIFY2(QToolTip::text().startsWith(QStringLiteral("Layer 1: w\u202f13, CL 0.")), qPrintable(QToolTip::text()));
        QToolTip::hideText();
    }

    void fewLayersHaveLargerMaps() {
        LayerThumbnails layers;
        const auto widthOf = [&](std::size_t count) {
            layers.setLayers(std::vector<ThumbnailState>(count));
            layers.resize(460, layers.heightForWidth(460));
            return layers.mapRect(static_cast<int>(count) - 1).width();
        };
        QCOMPARE(widthOf(24), widthOf(4));
        QVERIFY(widthOf(3) > 1.2 * widthOf(4));
        QVERIFY(widthOf(2) > 1.3 * widthOf(3));
        QCOMPARE(widthOf(1), widthOf(2));
    }

    void thumbnailsShowTheHeadsOfALayer() {
        LayerThumbnails layers;
        std::vector<ThumbnailState> states(3);
        for (auto& state : states) {
            state.status = ThumbnailState::Status::Ready;
            state.map = testing::pyramidOf(testing::ridge(60, 3));
        }
        layers.setLayers(states);
        const int without = layers.heightForWidth(500);
        states[1].heads = parseHeads("2 local 17 + 1 conv 5/2 + 1 full relaxed 0.01");
        layers.setLayer(1, states[1]);
        QVERIFY(layers.heightForWidth(500) > without);
        layers.resize(500, layers.heightForWidth(500));
        layers.show();
        const QRectF first = layers.headRect(1, 0), last = layers.headRect(1, 3);
        QVERIFY(first.top() > layers.mapRect(1).bottom()); // beside the map, never on it
        QCOMPARE(int(first.left()), layers.mapRect(1).left());
        QVERIFY(std::abs(last.right() - (layers.mapRect(1).right() + 1)) <= 1);
        // Each kind is another picture, in grey too.
        const QImage grey = layers.grab().toImage().convertToFormat(QImage::Format_Grayscale8);
        const auto cell = [&](int head) { return grey.copy(layers.headRect(1, head).toAlignedRect().adjusted(1, 0, -3, 0)); };
        QVERIFY(cell(0) != cell(2));
        QVERIFY(cell(2) != cell(3));

        QSignalSpy selected(&layers, &LayerThumbnails::layerSelected), head(&layers, &LayerThumbnails::headSelected);
        QTest::mouseClick(&layers, Qt::LeftButton, {}, layers.headRect(1, 2).center().toPoint());
        QCOMPARE(selected.last()[0].toInt(), 1);
        QCOMPARE(head.last()[0].toInt(), 2);
        QCOMPARE(layers.accessibleDescription(),
                 QStringLiteral("Layer 2 of 3, full, CL 0. Heads: 2 local 17 + 1 conv 5/2 + 1 full relaxed 0.01. Head 3, conv 5/2, is shown"));
        QTest::mouseClick(&layers, Qt::LeftButton, {}, layers.headRect(1, 2).center().toPoint());
        QCOMPARE(head.last()[0].toInt(), -1); // again: the layer
        QTest::keyClick(&layers, Qt::Key_Right, Qt::ControlModifier);
        QCOMPARE(head.last()[0].toInt(), 0);
        QCOMPARE(layers.current(), 1);
        QTest::keyClick(&layers, Qt::Key_Left, Qt::ControlModifier);
        QCOMPARE(head.last()[0].toInt(), -1);
        const auto before = head.count();
        QTest::keyClick(&layers, Qt::Key_Left, Qt::ControlModifier); // there is nothing before the layer
        QCOMPARE(head.count(), before);
        QTest::mouseClick(&layers, Qt::LeftButton, {}, layers.mapRect(1).center()); // the map is not a head
        QCOMPARE(head.count(), before);
    }
};

HEADROOM_TEST(LayerThumbnailsTest)

} // namespace headroom::testing::layer_thumbnails_test

#include "layer_thumbnails_test.moc"
