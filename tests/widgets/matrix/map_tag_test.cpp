// SPDX-License-Identifier: GPL-3.0-or-later
// What the tag of a band says, and how it breaks its lines.
#include "tests/support/runner.h"
#include "tests/widgets/matrix/band_bench.h"
#include "widgets/look/theme.h"
#include "widgets/matrix/map_tag.h"
#include "widgets/matrix/matrix_view.h"

#include <QTest>

namespace headroom::testing::map_tag_test {

using namespace headroom::widgets;
using namespace band_bench;

class MapTagTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { Theme::apply(QStringLiteral("light")); }

    void theTagWritesThousandsAsDesignDoes() {
        const Bench bench;
        QVERIFY2(bench.band.tag().lines[0].text.endsWith(QStringLiteral("±4 tokens, ±4,000\u202fms")),
                 qPrintable(bench.band.tag().lines[0].text));
    }

    void otherKindsStandInsteadOfWindowAndLoss() {
        Bench bench;
        bench.band.setWindow(0);
        bench.band.setSuggestedWindow(0);
        bench.band.setKinds(QStringLiteral("reuse 1"));
        QCOMPARE(bench.band.tag().lines.size(), 1);
        QCOMPARE(bench.band.tag().lines[0].text, QStringLiteral("reuse 1"));
        QVERIFY(!bench.band.accessibleDescription().contains(QStringLiteral("full")));
        bench.band.setKinds({});
        QCOMPARE(bench.band.tag().lines[1].text, QStringLiteral("CL 0"));
    }

    void theLossIsThatOfTheDiagonalProfile() {
        Bench bench;
        const DiagonalProfile profile(bench.map.view());
        for (const int window : {1, 9, 17, 41})
            QCOMPARE(bench.band.lossOf(window), contributionLoss(profile, window));
        QCOMPARE(bench.band.lossOf(0), 0.0);
        const QString shown = QString::number(contributionLoss(profile, 9), 'f', 3);
        QVERIFY(bench.band.tag().lines[1].text.contains(shown));
        QVERIFY(bench.band.accessibleDescription().contains(shown));
    }

    void theTagSaysWhatItsLossIsOf() {
        Bench bench;
        bench.band.setMeasured(QStringLiteral("head 4"));
        bench.band.setProfile(DiagonalProfile(bench.map.view()));
        QVERIFY(bench.band.tag().lines[1].text.startsWith(QStringLiteral("head 4: CL 0.")));
        bench.band.setMeasured({});
        QVERIFY(bench.band.tag().lines[1].text.startsWith(QStringLiteral("CL 0.")));
    }

    /// Of a single utterance it said “on average”, too.
    void onlyTheLossOverSeveralUtterancesIsAnAverage() {
        Bench bench;
        bench.band.setWindow(0);
        bench.band.setSuggestedWindow(1, true, 0.285);
        QCOMPARE(bench.band.tag().lines[1].text, QStringLiteral("CL 0; w = 1 loses 0.285 on average"));
        bench.band.setSuggestedWindow(1, true, 0.285, false);
        QCOMPARE(bench.band.tag().lines[1].text, QStringLiteral("CL 0; w = 1 loses 0.285"));
    }

    /// “CL 0; w = 1 loses 0.285 on averag” stood on a narrow map.
    void aTagBreaksLinesThatAreWiderThanItsMap() {
        MapTag tag;
        tag.lines = {{QStringLiteral("full, as suggested"), true}, {QStringLiteral("CL 0; w = 1 loses 0.285 on average"), false}};
        const double wide = tag.size().width();
        QVERIFY(tag.within(wide) == tag);
        const MapTag narrow = tag.within(wide - 20);
        QCOMPARE(narrow.lines.size(), qsizetype(3));
        QCOMPARE(narrow.lines[1].text + QLatin1Char(' ') + narrow.lines[2].text, tag.lines[1].text);
        QVERIFY(narrow.size().width() <= wide - 20);
        QVERIFY(!tag.within(1).lines.isEmpty()); // of words that nothing can break
    }

    /// Of two maps side by side with large text it covered two thirds.
    void aSmallMapHasTheEssentialAndTheRestAsATip() {
        Bench bench;
        bench.band.setWindow(0);
        bench.band.setSuggestedWindow(1, true, 0.285);
        MatrixMapping small = mapping();
        for (const double side : {1000.0, 400.0, 300.0, 220.0, 160.0, 90.0}) {
            small.plot = QRectF(0, 0, side, side);
            bench.band.setMapping(small);
            const QSizeF size = bench.band.shownTag().size();
            QVERIFY2(size.width() * size.height() <= side * side / 6, qPrintable(QString::number(side)));
            const QPointF at(12, side - 12);
            QCOMPARE(bench.band.tipAt(at).isEmpty(), bench.band.shownTag().lines.last().text.endsWith(QStringLiteral("on average")));
        }
        QVERIFY(bench.band.tipAt({12, 78}).contains(QStringLiteral("w = 1 loses 0.285 on average")));
        QCOMPARE(bench.band.shownTag().lines[0].text, QStringLiteral("full"));
        QVERIFY(bench.band.tipAt({80, 10}).isEmpty());
    }

    void aTagFlipsWhereItWouldCoverAnother() {
        MapTag tag;
        tag.lines = {{QStringLiteral("contribution 0.0029"), false}};
        const QRectF bounds(0, 0, 600, 400);
        const QPointF anchor(300, 200);
        const QRectF usual(tag.placed(anchor, 12, bounds), tag.size());
        QCOMPARE(usual.topLeft(), QPointF(312, 212));
        const QRectF spared = usual.translated(usual.width() / 2, 0);
        const QRectF flipped(tag.placed(anchor, 12, bounds, spared), tag.size());
        QVERIFY(!flipped.intersects(spared) && !flipped.contains(anchor) && bounds.contains(flipped));
        QCOMPARE(tag.placed(anchor, 12, bounds, bounds), usual.topLeft()); // nothing helps
    }

    /// The mouse rested beside the lines, and a key gave them the focus: its tag covered that of the window.
    void theReadOutSparesTheTagOfTheWindow() {
        constexpr std::int64_t kLong = 120;
        const TokenClock clock = TokenClock::speechToText();
        TimeAxis axis;
        axis.setExtent(clock.cellStart(Tokens(kLong)));
        LayerMatrixView view;
        view.setAxis(&axis);
        view.setMatrix(pyramidOf(ridge(kLong, 5)), clock);
        view.resize(760, 520);
        view.show();
        QVERIFY(QTest::qWaitForWindowActive(&view));
        WindowBand* band = view.band();
        band->setWindow(17);
        band->setFocus();
        const QRect window = band->tagRect().translated(band->pos()).toAlignedRect();
        QVERIFY(!window.isEmpty());
        view.setFocus();
        QVERIFY(band->tagRect().isEmpty());
        QTest::mouseMove(&view, window.topLeft() + QPoint(5, -8));
        const auto readOut = [&view] {
            for (const auto* tag : view.findChildren<MapTagWidget*>())
                if (tag->isVisible())
                    return tag->geometry();
            return QRect();
        };
        QTRY_VERIFY_WITH_TIMEOUT(readOut().intersects(window), 60000);
        band->setFocus();
        QTRY_VERIFY_WITH_TIMEOUT(!readOut().isEmpty() && !readOut().intersects(window), 60000);
    }
};

HEADROOM_TEST(MapTagTest)

} // namespace headroom::testing::map_tag_test

#include "map_tag_test.moc"
