// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/study_plots/layer_map.h"

#include "tests/support/runner.h"
#include "widgets/look/colour_map.h"
#include "widgets/look/theme.h"

#include <QBuffer>
#include <QPainter>
#include <QRegularExpression>
#include <QSvgGenerator>
#include <QTest>

#include <cmath>

namespace headroom::testing::layer_map_test {

using namespace headroom::widgets;

class LayerMapTest : public QObject {
    Q_OBJECT

    static LayerMap::Content content() {
        LayerMap::Content content{Matrix<double>(3, 4), QStringLiteral("CKA"), QStringLiteral("100%1"),
                                  QStringLiteral("asr-small")};
        for (std::size_t row = 0; row < 3; ++row)
            for (std::size_t column = 0; column < 4; ++column)
                content.values(row, column) = static_cast<double>(row * 4 + column) / 11;
        content.values(2, 1) = std::nan("");
        return content;
    }
    /// The middle of a cell, found by asking which cell is where.
    static QPoint middleOf(const LayerMap& map, LayerMap::Cell cell) {
        QRect found;
        for (int y = 0; y < map.height(); ++y)
            for (int x = 0; x < map.width(); ++x)
                if (map.cellAt(QPointF(x, y)) == cell)
                    found |= QRect(x, y, 1, 1);
        return found.center();
    }

private Q_SLOTS:
    void initTestCase() { Theme::apply(QStringLiteral("light")); }

    void everyPairOfLayersHasACellOfItsColour() {
        LayerMap map;
        map.resize(420, 320);
        map.setContent(content());
        QCOMPARE(map.accessibleDescription(), QStringLiteral("CKA of 3 by 4 layers"));
        const QImage picture = map.grab().toImage();
        const ColourMap& colours = ColourMap::named(ColourMap::Name::Magma, false);
        for (int row = 0; row < 3; ++row)
            for (int column = 0; column < 4; ++column) {
                const QPoint middle = middleOf(map, {row, column});
                const double value =
                    content().values(static_cast<std::size_t>(row), static_cast<std::size_t>(column));
                const QColor expected =
                    std::isnan(value) ? QColor(Theme::current().alternate) : QColor(colours.at(value));
                QCOMPARE(picture.pixelColor(middle * picture.devicePixelRatio()).rgb(), expected.rgb());
            }
        // Cells are squares, and around them there are none.
        const QPoint first = middleOf(map, {0, 0}), last = middleOf(map, {2, 3});
        QVERIFY(std::abs((last.x() - first.x()) / 3.0 - (last.y() - first.y()) / 2.0) <= 1);
        QVERIFY(!map.cellAt(QPointF(2, 2)) && !map.cellAt(QPointF(map.width() - 2, map.height() - 2)));
        QVERIFY(!LayerMap().cellAt(QPointF(100, 100)));
    }

    /// "1, 0.9955, 0.991" are numbers of three precisions.
    void theNumbersOfTheScaleHaveAsManyDigits() {
        LayerMap map;
        map.setContent({Matrix<double>(2, 2, 0.9913), QStringLiteral("CKA"), {}, {}});
        QCOMPARE(map.scaleLabels(),
                 (QStringList{QStringLiteral("0.9910"), QStringLiteral("0.9955"), QStringLiteral("1.0000")}));
        map.setContent({Matrix<double>(2, 2, 0.65), QStringLiteral("CKA"), {}, {}});
        QCOMPARE(map.scaleLabels(),
                 (QStringList{QStringLiteral("0.6"), QStringLiteral("0.8"), QStringLiteral("1.0")}));
    }

    void aCellSaysItsLayersAndItsNumber() {
        LayerMap map;
        map.setContent(content());
        QCOMPARE(map.describe({1, 2}), QStringLiteral("Layer 1 of 100%1 and layer 2 of asr-small: CKA 0.545"));
        QCOMPARE(map.describe({2, 1}), QStringLiteral("Layer 2 of 100%1 and layer 1 of asr-small: CKA –"));
        map.setContent({Matrix<double>(2, 3, 0.25), QStringLiteral("CKA"), {}, {}}); // of one model
        QCOMPARE(map.describe({1, 2}), QStringLiteral("Layer 1 and layer 2: CKA 0.250"));
    }

    /// "… Columns: layers of wav2vec2-mm…" stood in the file.
    void aFigureNamesItsAxesInFull() {
        LayerMap map;
        map.setContent({Matrix<double>(3, 3, 0.5), QStringLiteral("PWCCA"), QStringLiteral("wav2vec2-bert"), QStringLiteral("wav2vec2-mms-large")});
        for (const int width : {200, 320, 900}) {
            map.resize(width, 300);
            QByteArray bytes;
            QBuffer buffer(&bytes);
            buffer.open(QIODevice::WriteOnly);
            QSvgGenerator generator;
            generator.setOutputDevice(&buffer);
            generator.setSize(map.figureSize());
            QPainter painter(&generator);
            map.renderTo(painter, QRect(QPoint(), map.figureSize()));
            painter.end();
            QString text = QString::fromUtf8(bytes).remove(QRegularExpression(QStringLiteral("<[^>]*>|\\s"))); // lines break at hyphens, too
            QVERIFY2(!text.contains(QChar(0x2026)), qPrintable(text));
            for (const char* part : {"Rows:layersofwav2vec2-bert.", "Columns:layersofwav2vec2-mms-large.", "0istheinputoflayer1."})
                QVERIFY2(text.contains(QLatin1String(part)), qPrintable(text));
            QVERIFY(map.figureSize().height() > map.height() || width == 900);
        }
        QCOMPARE(map.figureSize(), map.size()); // where one line is enough
    }

    void theCellUnderTheMouseIsDescribedAndAClickKeepsIt() {
        LayerMap map;
        map.resize(420, 320);
        map.setContent(content());
        map.show();
        QVERIFY(QTest::qWaitForWindowExposed(&map));
        const QImage before = map.grab().toImage();
        QTest::mouseMove(&map, middleOf(map, {1, 2}));
        QTRY_VERIFY(map.grab().toImage() != before); // the line below names the cell
        QCOMPARE(map.accessibleDescription(), QStringLiteral("CKA of 3 by 4 layers"));
        QTest::mouseClick(&map, Qt::LeftButton, {}, middleOf(map, {1, 2}));
        QCOMPARE(map.accessibleDescription(), map.describe({1, 2}));
        QTest::mouseClick(&map, Qt::LeftButton, {}, QPoint(2, 2)); // outside: nothing changes
        QCOMPARE(map.accessibleDescription(), map.describe({1, 2}));
    }

    void arrowKeysChooseAndStopAtTheEdges() {
        LayerMap map;
        map.setContent(content());
        const auto after = [&](Qt::Key key) {
            QTest::keyClick(&map, key);
            return map.accessibleDescription();
        };
        QCOMPARE(after(Qt::Key_Right), map.describe({0, 1}));
        QCOMPARE(after(Qt::Key_Down), map.describe({1, 1}));
        QCOMPARE(after(Qt::Key_Up), map.describe({0, 1}));
        QCOMPARE(after(Qt::Key_Up), map.describe({0, 1}));
        for (int step = 0; step < 5; ++step)
            after(Qt::Key_Right);
        QCOMPARE(map.accessibleDescription(), map.describe({0, 3}));
        QCOMPARE(after(Qt::Key_Return), map.describe({0, 3}));
        map.setContent(content()); // another study: nothing is chosen
        QCOMPARE(map.accessibleDescription(), QStringLiteral("CKA of 3 by 4 layers"));
    }
};

HEADROOM_TEST(LayerMapTest)

} // namespace headroom::testing::layer_map_test

#include "layer_map_test.moc"
