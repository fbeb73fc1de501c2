// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/runner.h"
#include "tests/widgets/matrix/sample_maps.h"
#include "widgets/look/theme.h"
#include "widgets/matrix/map_tag.h"
#include "widgets/matrix/matrix_view.h"

#include <QPainter>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headroom::testing::matrix_view_test {

using namespace headroom::widgets;

namespace {

constexpr std::int64_t kTokens = 120;

struct Bench {
    explicit Bench(Matrix<float> map = testing::ridge(kTokens, 5)) {
        axis.setExtent(clock.cellStart(Tokens(kTokens)));
        view.setAxis(&axis);
        view.setMatrix(testing::pyramidOf(std::move(map)), clock);
        view.resize(760, 520);
        view.show();
    }
    Seconds centre(std::int64_t token) const { return clock.centre(Tokens(token)); }
    QPoint cellOf(std::int64_t query, std::int64_t key) const {
        const auto where = view.mapping();
        return QPointF(where.xOf(centre(key)), where.yOf(centre(query))).toPoint();
    }
    /// Where the cursor is after this key.
    Seconds press(Qt::Key key, Qt::KeyboardModifiers with = {}) {
        QTest::keyClick(&view, key, with);
        return axis.cursor().value();
    }
    TokenClock clock = TokenClock::speechToText();
    TimeAxis axis;
    LayerMatrixView view;
};

} // namespace

class LayerMatrixViewTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { Theme::apply(QStringLiteral("light")); }

    void theReadOutFollowsTheMapUnderTheMouse() {
        Bench bench;
        const QPoint at = bench.cellOf(40, 60);
        QSignalSpy read(&bench.view, &LayerMatrixView::hovered);
        QTest::mouseMove(&bench.view, at);
        QVERIFY(QTest::qWaitFor([&] { return read.size() > 0; }, 60000));
        const auto before = bench.axis.pointer();
        read.clear();
        const auto under = [&] { return bench.clock.centre(bench.clock.tokenAt(bench.view.mapping().keyAt(at.x()), Tokens(kTokens))); };
        bench.axis.zoom(4, bench.centre(20)); // the wheel, without moving the mouse
        QCOMPARE(read.size(), 1);
        QVERIFY(bench.axis.pointer() == std::optional(under()) && bench.axis.pointer() != before);
        const auto zoomed = bench.axis.pointer();
        bench.axis.scroll(Seconds(0.5));
        QVERIFY(bench.axis.pointer() == std::optional(under()) && bench.axis.pointer() != zoomed);
    }

    /// A panel that opened below it left the tag of another token over the map.
    void theReadOutEndsWhenTheMapGetsAnotherPlace() {
        Bench bench;
        const auto tags = [&] {
            const auto all = bench.view.findChildren<MapTagWidget*>();
            return std::count_if(all.begin(), all.end(), [](const MapTagWidget* tag) { return tag->isVisible(); });
        };
        const auto resting = tags();
        QTest::mouseMove(&bench.view, bench.cellOf(30, 80));
        QTRY_VERIFY_WITH_TIMEOUT(tags() > resting, 60000);
        QVERIFY(bench.axis.pointer());
        QSignalSpy left(&bench.view, &LayerMatrixView::left);
        bench.view.resize(bench.view.width(), bench.view.height() - 40);
        QCOMPARE(tags(), resting);
        QVERIFY(!bench.axis.pointer());
        QCOMPARE(left.size(), 1);
    }

    void anImpulseStandsWhereTheTimeAxisPutsIt_data() {
        QTest::addColumn<double>("zoom");
        QTest::addColumn<double>("pixelRatio");
        for (const double zoom : {1.0, 1.7, 6.0, 30.0})
            for (const double ratio : {1.0, 2.0})
                QTest::addRow("zoom %g at ratio %g", zoom, ratio) << zoom << ratio;
    }

    /// One bright token: its left and right edge on the picture are xOf() of its cell, as in every other
    /// lane.
    void anImpulseStandsWhereTheTimeAxisPutsIt() {
        QFETCH(double, zoom);
        QFETCH(double, pixelRatio);
        constexpr std::size_t kToken = 71;
        Matrix<float> map(kTokens, kTokens, 0.001F);
        for (std::size_t row = 0; row < kTokens; ++row)
            map(row, kToken) = 1;
        Bench bench(std::move(map));
        bench.view.setHideDiagonal(false);
        bench.view.setRange(ValueRange{0, 1});
        bench.view.band()->setBandVisible(false);
        bench.axis.setCursor(std::nullopt);
        bench.axis.zoom(zoom, bench.centre(kToken));
        QImage picture((bench.view.size() * pixelRatio), QImage::Format_ARGB32_Premultiplied);
        picture.setDevicePixelRatio(pixelRatio);
        bench.view.render(&picture);
        const int y = static_cast<int>(bench.view.mapRect().center().y() * pixelRatio);
        const QRgb bright = ColourMap::named(ColourMap::Name::Magma).at(1);
        int first = -1, last = -1;
        for (int x = 0; x < picture.width(); ++x)
            if (picture.pixel(x, y) == bright && x >= bench.view.plotRect().left() * pixelRatio &&
                x < bench.view.plotRect().right() * pixelRatio) {
                first = first < 0 ? x : first;
                last = x;
            }
        QVERIFY(first >= 0);
        const double left = bench.view.xOf(bench.clock.cellStart(Tokens(kToken))) * pixelRatio;
        const double right = bench.view.xOf(bench.clock.cellStart(Tokens(kToken + 1))) * pixelRatio;
        for (const auto& [seen, wanted] : {std::pair(first, left), std::pair(last + 1, right)})
            QVERIFY2(std::abs(seen - wanted) <= 1, qPrintable(QStringLiteral("%1 against %2").arg(seen).arg(wanted)));
    }

    void aClickSetsTheCursorToTheQuerysCentre() {
        Bench bench;
        QTest::mouseClick(&bench.view, Qt::LeftButton, {}, bench.cellOf(30, 90) + QPoint(0, 1));
        QCOMPARE(*bench.axis.cursor(), bench.centre(30));
    }

    void movingSetsThePointerToTheKeyAndSaysBoth() {
        Bench bench;
        QSignalSpy hovered(&bench.view, &LayerMatrixView::hovered);
        QTest::mouseMove(&bench.view, bench.cellOf(30, 40));
        QCOMPARE(*bench.axis.pointer(), bench.centre(40));
        QVERIFY(!hovered.isEmpty());
        QCOMPARE(hovered.last()[0].value<Seconds>(), bench.centre(30));
        QCOMPARE(hovered.last()[1].value<Seconds>(), bench.centre(40));
        QSignalSpy left(&bench.view, &LayerMatrixView::left);
        QEvent leave(QEvent::Leave);
        QApplication::sendEvent(&bench.view, &leave);
        QCOMPARE(left.size(), 1);
        QVERIFY(!bench.axis.pointer());
    }

    void theMouseReachesTheMapThroughTheBand() {
        Bench bench;
        bench.view.band()->setWindow(9);
        const QPoint cell = bench.cellOf(30, 90) - bench.view.band()->pos();
        QTest::mouseClick(bench.view.band(), Qt::LeftButton, {}, cell);
        QCOMPARE(*bench.axis.cursor(), bench.centre(30));
    }

    /// The pointer and what is read from it stayed where the mouse had been before it came to a line.
    void thePointerFollowsOnALineOfTheWindow() {
        Bench bench;
        bench.view.band()->setWindow(9);
        QTest::mouseMove(&bench.view, bench.cellOf(30, 90));
        const QPoint line = (bench.cellOf(30, 34) + bench.cellOf(30, 35)) / 2 - bench.view.band()->pos(); // 4 tokens on either side
        QTest::mouseMove(bench.view.band(), line);
        QVERIFY(bench.view.band()->isHovered());
        const auto onLine = *bench.axis.pointer();
        QVERIFY(onLine == bench.centre(34) || onLine == bench.centre(35));
        QTest::mousePress(bench.view.band(), Qt::LeftButton, {}, line);
        QTest::mouseMove(bench.view.band(), bench.cellOf(30, 50) - bench.view.band()->pos());
        QVERIFY(bench.view.band()->isDragging());
        QCOMPARE(*bench.axis.pointer(), bench.centre(50));
        QTest::mouseRelease(bench.view.band(), Qt::LeftButton, {}, bench.cellOf(30, 50) - bench.view.band()->pos());
    }

    void arrowsMoveTheQueryAndShiftTheKey() {
        Bench bench;
        bench.axis.setCursor(bench.centre(10));
        QCOMPARE(bench.press(Qt::Key_Right), bench.centre(11));
        QCOMPARE(bench.press(Qt::Key_Up), bench.centre(10));
        QCOMPARE(bench.press(Qt::Key_Right, Qt::ShiftModifier), bench.centre(10));
        QCOMPARE(*bench.axis.pointer(), bench.centre(11));
        QCOMPARE(bench.press(Qt::Key_End), bench.centre(kTokens - 1));
        bench.view.setWords({{Seconds(0.4), Seconds(0.8), "a"}, {Seconds(1.2), Seconds(1.6), "b"}});
        bench.press(Qt::Key_Home);
        QVERIFY(std::abs(bench.press(Qt::Key_Right, Qt::ControlModifier).value() - 0.4) <= 0.04);
        QVERIFY(std::abs(bench.press(Qt::Key_Right, Qt::ControlModifier).value() - 1.2) <= 0.04);
    }

    void linkedAxesShowTheSameSpanAndUnlinkedKeepTheirOwn() {
        Bench bench;
        bench.axis.setVisible({Seconds(1), Seconds(2)});
        QCOMPARE(bench.view.mapping().queries, (TimeSpan{Seconds(1), Seconds(2)}));
        bench.view.setLinkedAxes(false);
        bench.axis.setVisible({Seconds(2), Seconds(3)});
        QCOMPARE(bench.view.mapping().queries, (TimeSpan{Seconds(1), Seconds(2)}));
        bench.view.setVisibleQueries({Seconds(-1), Seconds(0.5)});
        QCOMPARE(bench.view.mapping().queries.start, Seconds(0));
        bench.view.setLinkedAxes(true);
        QCOMPARE(bench.view.mapping().queries, bench.axis.visible());
        bench.view.setEqualScale(true);
        const auto where = bench.view.mapping();
        QVERIFY(std::abs(where.tokenWidth() - where.tokenHeight()) < 1e-9);
    }

    /// With equal axes a low map had rows that nothing could show.
    void equalAxesOfALowMapShowTheRowOfTheCursor() {
        Bench bench;
        bench.view.resize(760, 260);
        bench.view.setEqualScale(true);
        const Seconds whole = bench.axis.visible().length();
        QVERIFY(bench.view.mapping().queries.length() < whole);
        bench.press(Qt::Key_Home);
        QVERIFY(bench.view.mapping().queries.start <= bench.clock.cellCentre(Tokens(0)));
        const auto before = bench.view.mapping().queries;
        bench.axis.setCursor(before.end - before.length() / 4); // a row that is seen moves nothing
        QCOMPARE(bench.view.mapping().queries, before);
        bench.press(Qt::Key_End);
        QVERIFY(bench.view.mapping().queries.end >= bench.clock.cellCentre(Tokens(kTokens - 1)));
        QVERIFY(std::abs((bench.view.mapping().queries.length() - before.length()).value()) < 1e-9);
        bench.axis.setCursor(bench.clock.cellCentre(Tokens(0)));
        bench.view.setEqualScale(false);
        bench.view.resize(760, 900);
        bench.view.setEqualScale(true);
        bench.view.resize(760, 200); // the row stays in sight
        QVERIFY(bench.view.mapping().queries.start <= bench.clock.cellCentre(Tokens(0)));
        bench.axis.setCursor(bench.clock.cellCentre(Tokens(60)));
        bench.axis.setVisible({whole / 2, whole}); // half of the keys, scrolled away from an earlier cursor
        bench.axis.setCursor(bench.clock.cellCentre(Tokens(100)));
        QVERIFY(bench.view.mapping().queries.end >= bench.clock.cellCentre(Tokens(100)));
        bench.view.setEqualScale(false);
        QCOMPARE(bench.view.mapping().queries, bench.axis.visible());
    }

    /// A new text, and a recording read by another model: the cursor was at row 0, the map began at row 2.
    void equalAxesOfALowMapShowTheRowOfTheCursorInANewMap() {
        Bench bench;
        bench.view.resize(760, 260);
        bench.view.setEqualScale(true);
        const auto showsFirst = [&] { return bench.view.mapping().queries.start <= bench.clock.cellCentre(Tokens(0)); };
        QVERIFY(showsFirst());
        bench.view.setMatrix(nullptr, bench.clock); // until it is computed
        bench.axis.setExtent(bench.clock.cellStart(Tokens(80)));
        bench.view.setMatrix(testing::pyramidOf(testing::ridge(80, 5)), bench.clock);
        QVERIFY(bench.view.mapping().queries.length() < bench.axis.visible().length());
        QVERIFY(showsFirst());
        bench.view.setMatrix(testing::pyramidOf(testing::ridge(100, 5)), bench.clock); // known before the length is
        bench.axis.setExtent(bench.clock.cellStart(Tokens(100)));
        QVERIFY(showsFirst());
    }

    void theViewWorksWithoutDataAndWithoutAnAxis() {
        LayerMatrixView view;
        view.resize(400, 300);
        QVERIFY(!view.grab().isNull());
        QTest::mouseClick(&view, Qt::LeftButton, {}, QPoint(200, 100));
        QTest::keyClick(&view, Qt::Key_Right);
        QVERIFY(!view.accessibleName().isEmpty() && !view.accessibleDescription().isEmpty());
    }

    void anExportHasItsOwnSizeAndItsBand() {
        Bench bench;
        bench.view.band()->setWindow(9);
        QImage picture(1000, 800, QImage::Format_ARGB32_Premultiplied);
        picture.fill(Qt::white);
        QPainter painter(&picture);
        bench.view.renderTo(painter, picture.rect());
        painter.end();
        // The line right of the diagonal in the middle of the export's map is cyan.
        const double size = 1000 - 2 * bench.view.plotRect().left();
        bool found = false;
        for (int x = 500; x < 500 + static_cast<int>(size / 8); ++x)
            for (int y = 300; y < 500; ++y) {
                const QColor colour = picture.pixelColor(x, y);
                found = found || (colour.blue() > 220 && colour.green() > 180 && colour.red() < 120);
            }
        QVERIFY(found);
    }

    void anotherMapCanStandInPlaceOfThisOneAndGoAgain() {
        Bench bench;
        const QImage own = bench.view.image(1);
        const ValueRange range = bench.view.range();
        // Twice as many tokens of half the length, bright everywhere.
        const auto other = testing::pyramidOf(Matrix<float>(2 * kTokens, 2 * kTokens, 1));
        const auto clock = TokenClock::affine(Seconds(0.01), Seconds(0.02));
        bench.view.setInPlace(other, clock);
        QVERIFY(bench.view.showsOther() && bench.view.image(1) != own);
        QCOMPARE(bench.view.range(), range); // the same colour is the same value
        QCOMPARE(bench.view.mapping().tokens, 2 * kTokens);
        bench.axis.setCursor(clock.centre(Tokens(200)));
        QCOMPARE(bench.press(Qt::Key_Down), clock.centre(Tokens(201)));
        bench.view.setInPlace(nullptr, {});
        QVERIFY(bench.view.image(1) == own);
        QCOMPARE(bench.view.mapping().tokens, kTokens);
    }

    /// The scale of B ended in "57.3" where it stood in A's place and in "≥ 57.3" beside it, and it was called as A is.
    void theScaleOfAMapInPlaceIsItsOwn() {
        Bench bench;
        bench.view.setRange(ValueRange{0, 1});
        bench.view.setValueName(QStringLiteral("contribution"), QStringLiteral("C"));
        bench.view.setTitle(QStringLiteral("Layer 1"));
        const auto beyond = testing::pyramidOf(Matrix<float>(kTokens, kTokens, 2));
        const auto painted = [&] {
            QImage picture(760, 520, QImage::Format_ARGB32_Premultiplied);
            picture.fill(Qt::white);
            QPainter painter(&picture);
            bench.view.renderTo(painter, picture.rect());
            painter.end();
            return picture.copy(int(bench.view.plotRect().right()) + 1, 0, 760, 200); // the scale
        };
        const QImage own = painted();
        bench.view.setInPlace(beyond, bench.clock, {QStringLiteral("Layer 2"), QStringLiteral("attention"), QStringLiteral("A")});
        QCOMPARE(bench.view.accessibleName(), QStringLiteral("Layer 2"));
        const QImage inPlace = painted();
        QVERIFY(inPlace != own);
        bench.view.setInPlace(nullptr, {});
        QCOMPARE(bench.view.accessibleName(), QStringLiteral("Layer 1"));
        QCOMPARE(painted(), own);
        bench.view.setMatrix(beyond, bench.clock);
        bench.view.setValueName(QStringLiteral("attention"), QStringLiteral("A"));
        QCOMPARE(painted(), inPlace);
    }

    void theWindowOfAMapInPlaceIsInItsTokens() {
        Bench bench;
        const auto clock = TokenClock::affine(Seconds(0.01), Seconds(0.02)); // half as long as the bench's
        bench.view.setInPlace(testing::pyramidOf(Matrix<float>(2 * kTokens, 2 * kTokens, 1)), clock);
        const Seconds query = clock.cellStart(Tokens(100)), edge = query + Seconds(40.5 * 0.02);
        const auto where = bench.view.mapping();
        const QPoint onLine = QPointF(where.xOf(edge), where.yOf(query)).toPoint();
        WindowBand other;
        const auto colourOf = [&](int window) {
            other.setWindow(window);
            bench.view.band()->setInPlace(&other);
            bench.view.band()->update();
            return bench.view.grab().toImage().pixel(onLine);
        };
        const QRgb plain = colourOf(0);
        QVERIFY(colourOf(81) != plain);
        QCOMPARE(colourOf(41), plain);
    }

    /// While a selection was analysed again, all around it was black.
    void whatIsOutsideOfAMapStaysTheGroundWhileItIsStale() {
        Bench bench;
        bench.axis.setExtent(Seconds(20)); // the map is of its beginning
        bench.axis.setVisible({Seconds(0), Seconds(20)});
        const auto at = [&](double x, double y) {
            const QImage picture = bench.view.image(1);
            return picture.pixelColor(int(x * picture.width()), int(y * picture.height()));
        };
        QCOMPARE(at(0.9, 0.9).alpha(), 0);
        const QColor inside = at(0.1, 0.1);
        bench.view.setStale(true);
        QCOMPARE(at(0.9, 0.9).alpha(), 0);
        const QColor grey = at(0.1, 0.1);
        QVERIFY(grey.alpha() == 255 && grey.red() == grey.green() && grey.green() == grey.blue() && grey != inside);
    }

    void aDifferenceHasItsOwnColoursAboutZero() {
        Bench bench;
        Matrix<float> more(kTokens, kTokens), less(kTokens, kTokens);
        for (std::size_t row = 0; row < kTokens; ++row)
            for (std::size_t column = 0; column < kTokens; ++column) {
                more(row, column) = column >= kTokens / 2 ? 0.25F : -0.25F;
                less(row, column) = -more(row, column);
            }
        bench.view.setDifference(testing::pyramidOf(more), testing::pyramidOf(less), bench.clock);
        bench.view.setHideDiagonal(false);
        QVERIFY(bench.view.showsDifference());
        QCOMPARE(bench.view.range(), (ValueRange{-0.25, 0.25}));
        const QImage picture = bench.view.image(1);
        const ColourMap& colours = ColourMap::named(ColourMap::Name::Difference);
        QCOMPARE(picture.pixel(5, picture.height() / 2), colours.at(0));
        QCOMPARE(picture.pixel(picture.width() - 6, picture.height() / 2), colours.at(1));
        bench.view.setMatrix(testing::pyramidOf(testing::ridge(kTokens, 5)), bench.clock);
        QVERIFY(!bench.view.showsDifference());
        QVERIFY(bench.view.range().low == 0);
    }
};

HEADROOM_TEST(LayerMatrixViewTest)

} // namespace headroom::testing::matrix_view_test

#include "matrix_view_test.moc"
