// SPDX-License-Identifier: GPL-3.0-or-later
// CAD plot, D(r) and the map of relevance on their own.
#include "tests/support/runner.h"
#include "widgets/heads/cad_curve_plot.h"
#include "widgets/heads/cad_plot.h"
#include "widgets/heads/relevance_map.h"
#include "widgets/look/theme.h"

#include <qcustomplot.h>
#include <QBuffer>
#include <QPainter>
#include <QSignalSpy>
#include <QSvgGenerator>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <set>

namespace headroom::testing::head_plots_test {

using namespace headroom::widgets;

namespace {

/// Two layers of three heads; the last has no map.
std::vector<HeadCad> sample() {
    return {{{0, 0}, 0.90}, {{0, 1}, 0.60}, {{0, 2}, 0.75}, {{1, 0}, 0.70}, {{1, 1}, 0.95}, {{1, 2}, NAN}};
}

void show(QWidget& widget, QSize size = {520, 300}) {
    widget.resize(size);
    widget.show();
    QVERIFY(QTest::qWaitForWindowExposed(&widget));
}

/// Whether there is ink where the glyph of a cell stands, over all cells of a map of this size.
std::set<bool> glyphsIn(const std::vector<std::vector<HeadKind>>& kinds, QSize size) {
    RelevanceMap map;
    map.setValues(Matrix<double>(kinds.size(), kinds.front().size(), 0.25), kinds);
    map.resize(size);
    const QImage picture = map.grab().toImage();
    std::set<bool> found;
    for (int layer = 0; layer < int(kinds.size()); ++layer)
        for (int head = 0; head < int(kinds.front().size()); ++head) {
            const QRect cell = map.cellRect({layer, head}).toRect();
            const QColor ground = picture.pixelColor(cell.topLeft() + QPoint(2, 2));
            bool inked = false;
            for (int x = cell.left() + 7; x < cell.left() + 10; ++x) // left of the number
                for (int y = std::max(cell.top() + 2, cell.center().y() - 3); y < std::min(cell.bottom() - 2, cell.center().y() + 4); ++y)
                    inked = inked || picture.pixelColor(x, y) != ground;
            found.insert(inked);
        }
    return found;
}

} // namespace

class HeadPlotsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { Theme::apply(QStringLiteral("light")); }

    void headsAreSortedByCadAndThoseWithoutAreNotDrawn() {
        CadPlot plot;
        plot.setHeads(sample());
        const std::vector<HeadId> sorted{{0, 1}, {1, 0}, {0, 2}, {0, 0}, {1, 1}};
        QVERIFY(plot.shownOrder() == sorted);
        QVERIFY(!plot.positionOf({1, 2}));
        plot.setOrder(CadPlot::Order::ByLayer);
        const std::vector<HeadId> byLayer{{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}};
        QVERIFY(plot.shownOrder() == byLayer);
    }

    void headsBelowTheSplitArePhoneticTheOneOnItIsNot() {
        CadPlot plot;
        plot.setHeads(sample());
        QCOMPARE(plot.split(), 0.75);
        QCOMPARE(plot.phoneticCount(), 2);
        QCOMPARE(plot.linguisticCount(), 3);
        plot.setSplit(0.65);
        QCOMPARE(plot.phoneticCount(), 1);
        QVERIFY(plot.accessibleDescription().contains(QStringLiteral("1 phonetic, 4 linguistic")));
    }

    void keysMoveTheSplitByHundredths() {
        CadPlot plot;
        plot.setHeads(sample());
        show(plot);
        QSignalSpy changed(&plot, &CadPlot::splitChanged);
        QTest::keyClick(&plot, Qt::Key_Up);
        QCOMPARE(plot.split(), 0.76);
        QCOMPARE(plot.phoneticCount(), 3);
        QTest::keyClick(&plot, Qt::Key_Down, Qt::ShiftModifier);
        QCOMPARE(plot.split(), 0.71);
        QCOMPARE(changed.count(), 2);
    }

    void theSplitIsDraggedAndEscapeGivesItBack() {
        CadPlot plot;
        plot.setHeads(sample());
        show(plot);
        // Free of heads: at the left edge, where the first stands lower.
        const QPoint line(60, int(std::lround(plot.splitPosition())));
        const double before = plot.splitPosition();
        QTest::mousePress(&plot, Qt::LeftButton, {}, line);
        QTest::mouseMove(&plot, line + QPoint(0, 40));
        QVERIFY(plot.split() < 0.75);
        QVERIFY(plot.splitPosition() > before);
        QTest::keyClick(&plot, Qt::Key_Escape);
        QCOMPARE(plot.split(), 0.75);
        QTest::mouseRelease(&plot, Qt::LeftButton, {}, line);
    }

    void aClickOnAHeadSelectsAndActivatesIt() {
        CadPlot plot;
        plot.setHeads(sample());
        show(plot);
        QSignalSpy selected(&plot, &CadPlot::headSelected), activated(&plot, &CadPlot::headActivated);
        QTest::mouseClick(&plot, Qt::LeftButton, {}, plot.positionOf({1, 1})->toPoint());
        QCOMPARE(activated.count(), 1);
        QVERIFY(activated.first().first().value<HeadId>() == (HeadId{1, 1}));
        QTest::keyClick(&plot, Qt::Key_Left);
        QVERIFY(plot.selected() == (HeadId{0, 0}));
        QTest::keyClick(&plot, Qt::Key_Home);
        QVERIFY(plot.selected() == (HeadId{0, 1}));
        QCOMPARE(selected.count(), 3);
        QTest::keyClick(&plot, Qt::Key_Return);
        QCOMPARE(activated.count(), 2);
        QVERIFY(
            plot.accessibleDescription().startsWith(QStringLiteral("layer 1, head 2: CAD 0.600, phonetic.")));
    }

    void theKeyStandsUnderThePlotWhereItCoversNoHead() {
        CadPlot plot;
        // Heads in every corner.
        plot.setHeads({{{0, 0}, 0.5}, {{0, 1}, 1.0}, {{1, 0}, 0.52}, {{1, 1}, 0.99}});
        show(plot);
        for (const auto order : {CadPlot::Order::Sorted, CadPlot::Order::ByLayer}) {
            plot.setOrder(order);
            QStringList names;
            for (const KeyEntry& entry : plot.keyEntries())
                names << entry.name;
            QCOMPARE(names, (QStringList{"phonetic 2", "linguistic 2"}));
            const auto* inside = plot.findChild<QCustomPlot*>();
            QVERIFY(!inside->legend->visible());
            for (const HeadId head : plot.shownOrder())
                QVERIFY(inside->geometry().contains(plot.positionOf(head)->toPoint()));
            QVERIFY(plot.height() - inside->geometry().bottom() > 12); // the row of the key
        }
        plot.setHeads({});
        QVERIFY(plot.keyEntries().empty());
    }

    void sidesDifferInColour() {
        CadPlot plot;
        plot.setHeads({{{0, 0}, 0.6}, {{0, 1}, 0.9}});
        show(plot);
        const QImage picture = plot.grab().toImage();
        const auto has = [&](HeadId head, const QColor& colour) {
            const QPoint centre = plot.positionOf(head)->toPoint();
            for (int y = -5; y <= 5; ++y)
                for (int x = -5; x <= 5; ++x)
                    if (picture.pixelColor(centre + QPoint(x, y)) == colour)
                        return true;
            return false;
        };
        const Theme& theme = Theme::current();
        QVERIFY(has({0, 0}, theme.runs[0]) && !has({0, 0}, theme.runs[1]));
        QVERIFY(has({0, 1}, theme.runs[1]) && !has({0, 1}, theme.runs[0]));
        // And in shape: the phonetic one is filled, the linguistic one a hollow triangle.
        QCOMPARE(picture.pixelColor(plot.positionOf({0, 0})->toPoint()), theme.runs[0]);
        QVERIFY(picture.pixelColor(plot.positionOf({0, 1})->toPoint()) != theme.runs[1]);
    }

    void theCurveSaysItsHead() {
        CadCurvePlot plot;
        QCOMPARE(plot.accessibleDescription(), QStringLiteral("No head selected."));
        plot.setCurve({0.4, 0.8, 1}, headName({1, 2}), 0.8);
        show(plot);
        QCOMPARE(plot.accessibleDescription(), QStringLiteral("layer 2, head 3. CAD 0.800."));
        QCOMPARE(plot.curve().size(), std::size_t(3));
    }

    void onlyTheScreenSaysThatNoHeadIsSelected() {
        CadCurvePlot plot;
        show(plot);
        const auto shown = [&plot] {
            QStringList texts;
            for (int i = 0; i < plot.findChild<QCustomPlot*>()->itemCount(); ++i)
                if (const auto* text = qobject_cast<QCPItemText*>(plot.findChild<QCustomPlot*>()->item(i)))
                    texts << text->text();
            return texts.join(QLatin1Char(' ')).simplified();
        };
        QVERIFY2(shown().contains(QStringLiteral("no head selected")), qPrintable(shown()));
        QBuffer svg;
        QSvgGenerator generator;
        generator.setOutputDevice(&svg);
        generator.setSize(plot.figureSize());
        QPainter painter(&generator);
        plot.renderTo(painter, QRect(QPoint(), plot.figureSize()));
        painter.end();
        QVERIFY(svg.data().contains("uniform") && !svg.data().contains("no head"));
        QVERIFY2(shown().contains(QStringLiteral("no head selected")), qPrintable(shown()));
    }

    void relevanceHasCividisFromATenthToAHalf() {
        Matrix<double> values(2, 2, 0.3);
        values(0, 0) = 0.1;
        values(0, 1) = 0.5;
        values(1, 1) = NAN;
        RelevanceMap map;
        map.setValues(values, {{HeadKind::Full, HeadKind::Local}, {HeadKind::Conv, HeadKind::Full}});
        // cividis: #00224e at its beginning, #fee838 at its end (matplotlib's listing).
        QCOMPARE(map.colourAt({0, 0}).name(), QStringLiteral("#00224e"));
        QCOMPARE(map.colourAt({0, 1}).name(), QStringLiteral("#fee838"));
        QVERIFY(!map.colourAt({1, 1}).isValid());
        show(map, {420, 260});
        const QImage picture = map.grab().toImage();
        const QPoint corner = map.cellRect({0, 1}).toRect().topLeft() + QPoint(3, 3);
        QCOMPARE(picture.pixelColor(corner).name(), QStringLiteral("#fee838"));
        QCOMPARE(map.describe({0, 1}), QStringLiteral("layer 1, head 2 (local): relevance 0.500"));
        QVERIFY(map.describe({1, 1}).contains(QStringLiteral("unknown")));
        // A figure ends below the map and its scale: more than half of it was empty.
        values(1, 1) = 0.2;
        map.setValues(values, {});
        map.resize(420, 400);
        QCOMPARE(map.figureSize().width(), 420);
        const double below = map.figureSize().height() - map.cellRect({1, 1}).bottom();
        QVERIFY2(below >= 0 && below < 20, qPrintable(QString::number(below)));
        const auto figureOf = [&map] {
            QImage figure(map.figureSize(), QImage::Format_RGB32);
            QPainter painter(&figure);
            map.renderTo(painter, figure.rect());
            painter.end();
            return figure;
        };
        const QImage figure = figureOf();
        map.setSelected(HeadId{1, 0});
        QCOMPARE(figureOf(), figure); // it has no selection
    }

    /// Rows of 15 and 16 pixels had glyphs in turn, as had columns.
    void glyphsStandInAllCellsOrInNone() {
        std::set<bool> seen;
        std::vector<std::vector<HeadKind>> kinds(24, std::vector<HeadKind>(4, HeadKind::Full));
        kinds[3][1] = HeadKind::Local;
        std::vector<QSize> sizes;
        for (const int height : {200, 260, 400, 417, 430, 470, 700})
            sizes.emplace_back(500, height);
        for (int width = 360; width < 450; ++width)
            sizes.emplace_back(width, 700);
        for (const QSize size : sizes) {
            const std::set<bool> withGlyph = glyphsIn(kinds, size);
            QVERIFY2(withGlyph.size() == 1, qPrintable(QStringLiteral("%1 × %2").arg(size.width()).arg(size.height())));
            seen.insert(*withGlyph.begin());
        }
        QCOMPARE(seen.size(), std::size_t(2));
    }

    /// All of one kind looked like boxes to tick.
    void oneKindNeedsNoGlyphs() {
        const std::vector<std::vector<HeadKind>> full(24, std::vector<HeadKind>(4, HeadKind::Full));
        QCOMPARE(glyphsIn(full, {500, 700}), std::set<bool>{false});
    }

    void relevanceIsWalkedByKeysAndClicked() {
        RelevanceMap map;
        map.setValues(Matrix<double>(3, 4, 0.25), {});
        show(map, {420, 260});
        QSignalSpy selected(&map, &RelevanceMap::headSelected), activated(&map, &RelevanceMap::headActivated);
        QTest::keyClick(&map, Qt::Key_Down);
        QVERIFY(map.selected() == (HeadId{0, 0}));
        QTest::keyClick(&map, Qt::Key_Down);
        QTest::keyClick(&map, Qt::Key_Right);
        QTest::keyClick(&map, Qt::Key_Space);
        QVERIFY(activated.first().first().value<HeadId>() == (HeadId{1, 1}));
        QTest::mouseClick(&map, Qt::LeftButton, {}, map.cellRect({2, 3}).center().toPoint());
        QVERIFY(map.selected() == (HeadId{2, 3}));
        QCOMPARE(selected.count(), 4);
        QCOMPARE(activated.count(), 2);
        for (int layer = 0; layer < 3; ++layer)
            for (int head = 0; head < 4; ++head)
                QVERIFY(map.headAt(map.cellRect({layer, head}).center()) == (HeadId{layer, head}));
    }
};

HEADROOM_TEST(HeadPlotsTest)

} // namespace headroom::testing::head_plots_test

#include "head_plots_test.moc"
