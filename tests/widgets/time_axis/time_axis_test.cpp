// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/runner.h"
#include "widgets/time_axis/snapping.h"
#include "widgets/time_axis/ticks.h"
#include "widgets/time_axis/time_axis.h"

#include <cmath>
#include <limits>

#include <QSignalSpy>
#include <QTest>

namespace headroom::testing::time_axis_test {

using namespace headroom::widgets;

namespace {
Seconds s(double value) {
    return Seconds(value);
}
bool near(Seconds a, double b) {
    return std::abs(a.value() - b) < 1e-9;
}
} // namespace

class TimeAxisTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aNewRecordingIsSeenWhole() {
        TimeAxis axis;
        QCOMPARE(axis.extent(), s(0));
        QVERIFY(!axis.cursor());
        axis.setExtent(s(3.13));
        axis.setVisible({s(1), s(2)});
        axis.setSelection(TimeSpan{s(1), s(2)});
        axis.setPointer(s(1));
        axis.setSnapBounds({s(1)});
        axis.setExtent(s(2.0));
        QVERIFY(axis.visible() == (TimeSpan{s(0), s(2.0)}));
        QCOMPARE(*axis.cursor(), s(0));
        QVERIFY(!axis.pointer());
        QVERIFY(!axis.selection());
        QVERIFY(axis.snapBounds().empty());
    }

    void everySignalComesAfterAllOfTheStateChanged() {
        TimeAxis axis;
        axis.setExtent(s(10));
        axis.setSelection(TimeSpan{s(8), s(9)});
        bool isConsistent = false;
        connect(&axis, &TimeAxis::extentChanged, this,
                [&] { isConsistent = axis.visible().end == axis.extent() && !axis.selection(); });
        axis.setExtent(s(2));
        QVERIFY(isConsistent);
    }

    void settersClampAndTellOnlyChanges() {
        TimeAxis axis;
        axis.setExtent(s(3));
        QSignalSpy cursors(&axis, &TimeAxis::cursorChanged), views(&axis, &TimeAxis::visibleChanged);
        axis.setCursor(s(9));
        QCOMPARE(*axis.cursor(), s(3));
        axis.setCursor(s(7)); // the same place
        QCOMPARE(cursors.count(), 1);
        axis.setCursor(s(-1));
        QCOMPARE(*axis.cursor(), s(0));
        axis.fit();
        QCOMPARE(views.count(), 0);
        axis.setVisible({s(-5), s(50)});
        QCOMPARE(views.count(), 0);
        axis.setSelection(TimeSpan{s(2), s(1)});
        QVERIFY(*axis.selection() == (TimeSpan{s(1), s(2)}));
        axis.setSelection(TimeSpan{s(1), s(1)});
        QVERIFY(!axis.selection());
        axis.setVisible({s(std::nan("")), s(1)});
        QCOMPARE(views.count(), 0);
    }

    void zoomKeepsTheMomentWhereItIs() {
        TimeAxis axis;
        axis.setExtent(s(10));
        axis.zoom(4, s(3));
        QVERIFY(near(axis.visible().length(), 2.5));
        QVERIFY(near(s((3 - axis.visible().start.value()) / 2.5), 0.3));
        axis.zoom(1e9, s(3));
        QVERIFY(near(axis.visible().length(), 0.020));
        QVERIFY(axis.visible().start <= s(3) && axis.visible().end >= s(3));
        axis.zoom(1e-9, s(3));
        QVERIFY(axis.visible() == (TimeSpan{s(0), s(10)}));
        for (const double nonsense : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()})
            axis.zoom(nonsense, s(3));
        QVERIFY(axis.visible() == (TimeSpan{s(0), s(10)}));
    }

    void scrollStopsAtBothEndsWithoutZooming() {
        TimeAxis axis;
        axis.setExtent(s(10));
        axis.setVisible({s(4), s(6)});
        axis.scroll(s(100));
        QVERIFY(near(axis.visible().start, 8) && near(axis.visible().end, 10));
        axis.scroll(s(-100));
        QVERIFY(near(axis.visible().start, 0) && near(axis.visible().end, 2));
    }

    void revealScrollsOnlyWhenItMust() {
        TimeAxis axis;
        axis.setExtent(s(10));
        axis.setVisible({s(4), s(6)});
        QSignalSpy views(&axis, &TimeAxis::visibleChanged);
        axis.reveal(s(5));
        QCOMPARE(views.count(), 0);
        axis.reveal(s(6.5));
        QVERIFY(near(axis.visible().length(), 2));
        QVERIFY(axis.visible().start <= s(6.5) && axis.visible().end >= s(6.5));
        axis.reveal(s(0));
        QVERIFY(near(axis.visible().start, 0));
    }

    void aRecordingShorterThanTheShortestViewIsSeenWhole() {
        TimeAxis axis;
        axis.setExtent(s(0.012));
        axis.zoom(10, s(0.005));
        QVERIFY(axis.visible() == (TimeSpan{s(0), s(0.012)}));
    }

    void nothingOpenTakesNoCursor() {
        TimeAxis axis;
        axis.setCursor(s(1));
        axis.setPointer(s(1));
        axis.zoom(2, s(0));
        axis.scroll(s(1));
        QVERIFY(!axis.cursor() && !axis.pointer());
    }

    void ticksStandAtNiceNumbersFarEnoughApart() {
        for (const double length : {0.02, 0.3, 3.13, 30.0, 3600.0}) {
            const auto ticks = TimeTicks::over({s(0), s(length)}, 700, 80);
            QVERIFY(!ticks.labelled.empty());
            QVERIFY(ticks.step / length * 700 >= 80 - 1e-6);
            QVERIFY(ticks.step / length * 700 <=
                    200 + 1e-6); // the next nicer step is at most 2.5 times this one
            const double leading = ticks.step / std::pow(10, std::floor(std::log10(ticks.step) + 1e-9));
            QVERIFY(std::abs(leading - 1) < 1e-6 || std::abs(leading - 2) < 1e-6 ||
                    std::abs(leading - 5) < 1e-6);
            QSet<QString> labels;
            for (const Seconds time : ticks.labelled)
                labels.insert(ticks.label(time));
            QCOMPARE(std::size_t(labels.size()), ticks.labelled.size());
        }
        const auto ticks = TimeTicks::over({s(0), s(3.13)}, 704, 80);
        QCOMPARE(ticks.step, 0.5);
        QCOMPARE(ticks.labelled.size(), 7u);
        QCOMPARE(ticks.label(ticks.labelled[1]), QStringLiteral("0.5"));
        QVERIFY(TimeTicks::over({s(1), s(1)}, 700, 80).labelled.empty());
    }

    void ticksOfTokensAreTheMiddlesOfTokens() {
        for (const double tokens : {1.0, 8.0, 300.0}) {
            const auto ticks = TimeTicks::over({s(0), s(tokens)}, 700, 40, AxisUnit::Tokens);
            QVERIFY(!ticks.labelled.empty() && ticks.between.empty());
            QVERIFY(ticks.step >= 1 && ticks.step / tokens * 700 >= 40 - 1e-6);
            for (const Seconds time : ticks.labelled) {
                QCOMPARE(time.value() - std::floor(time.value()), 0.5);
                QCOMPARE(ticks.label(time), QString::number(std::floor(time.value())));
            }
        }
        // However far one zooms in, no label stands between tokens.
        QCOMPARE(TimeTicks::over({s(3), s(3.4)}, 700, 40, AxisUnit::Tokens).labelled.size(), 0u);
        QCOMPARE(TimeTicks::over({s(3), s(4)}, 700, 40, AxisUnit::Tokens).labelled.size(), 1u);
    }

    void anotherUnitIsAnotherExtent() {
        TimeAxis axis;
        QSignalSpy changed(&axis, &TimeAxis::extentChanged);
        axis.setExtent(s(8));
        QVERIFY(!axis.countsTokens());
        axis.setExtent(s(8), AxisUnit::Tokens);
        QVERIFY(axis.countsTokens());
        QCOMPARE(changed.count(), 2);
    }

    void boundsSnapToTheNearestWithinReach() {
        const std::vector<Seconds> bounds{s(0.5), s(0.52), s(2)};
        QCOMPARE(nearestBound(bounds, s(0.515), s(0.05)), s(0.52));
        QCOMPARE(nearestBound(bounds, s(0.505), s(0.05)), s(0.5));
        QCOMPARE(nearestBound(bounds, s(0.3), s(0.05)), s(0.3));
        QCOMPARE(nearestBound(bounds, s(2.04), s(0.05)), s(2));
        QCOMPARE(nearestBound({}, s(1), s(0.05)), s(1));
        Alignment alignment;
        alignment.words = {{s(0), s(1), "a"}, {s(1), s(2), "b"}};
        alignment.phones = {{s(0), s(0.5), "x"}, {s(0.5), s(1), "y"}};
        QCOMPARE(snapBounds(alignment), (std::vector<Seconds>{s(0), s(0.5), s(1), s(2)}));
    }
};

HEADROOM_TEST(TimeAxisTest)

} // namespace headroom::testing::time_axis_test

#include "time_axis_test.moc"
