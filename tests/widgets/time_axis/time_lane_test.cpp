// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/runner.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"
#include "widgets/time_axis/ruler.h"
#include "widgets/time_axis/time_lane.h"

#include <cmath>

#include <QApplication>
#include <QPainter>
#include <QScreen>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>

namespace headroom::testing::time_lane_test {

using namespace headroom::widgets;

namespace {

Seconds s(double value) {
    return Seconds(value);
}

class PlainLane : public TimeLane {
public:
    using TimeLane::TimeLane;

protected:
    void paintLane(QPainter& painter) override { paintFrame(painter); }
};

} // namespace

class TimeLaneTest : public QObject {
    Q_OBJECT

    TimeAxis m_axis;

    QPoint at(const TimeLane& lane, double time) const { return {int(std::lround(lane.xOf(s(time)))), 20}; }

    void wheel(TimeLane& lane, QPoint where, int delta, Qt::KeyboardModifiers modifiers) const {
        const QPointF place(where);
        QWheelEvent event(place, place, QPoint(), QPoint(0, delta), Qt::NoButton, modifiers,
                          Qt::NoScrollPhase, false);
        QApplication::sendEvent(&lane, &event);
    }

    void drag(TimeLane& lane, double from, double to, Qt::KeyboardModifiers modifiers = {}) const {
        QTest::mousePress(&lane, Qt::LeftButton, modifiers, at(lane, from));
        for (const double time : {(from + to) / 2, to}) {
            QMouseEvent move(QEvent::MouseMove, QPointF(at(lane, time)), QPointF(at(lane, time)),
                             Qt::NoButton, Qt::LeftButton, modifiers);
            QApplication::sendEvent(&lane, &move);
        }
        QTest::mouseRelease(&lane, Qt::LeftButton, modifiers, at(lane, to));
    }

private Q_SLOTS:
    void initTestCase() { Theme::apply(QStringLiteral("light")); }
    void init() {
        m_axis.setExtent(s(0));
        m_axis.setExtent(s(4));
    }

    void lanesOfOneWidthShareEveryPixel() {
        PlainLane one;
        Ruler other;
        one.setAxis(&m_axis);
        other.setAxis(&m_axis);
        one.resize(828, 60);
        other.resize(828, 24);
        for (const auto& [from, to] : {std::pair(0.0, 4.0), {1.2345, 1.3}, {3.9, 4.0}}) {
            m_axis.setVisible({s(from), s(to)});
            for (const double time : {from, 1.25, to}) {
                QCOMPARE(one.xOf(s(time)), other.xOf(s(time)));
                QVERIFY(std::abs(one.timeAt(one.xOf(s(time))).value() - time) < 1e-9);
            }
            QCOMPARE(one.xOf(s(from)), double(Sizes::gutter()));
            QCOMPARE(one.xOf(s(to)), double(828 - Sizes::gutter()));
        }
    }

    void wheelScrollsAndWithCtrlZoomsAtThePointer() {
        PlainLane lane;
        lane.setAxis(&m_axis);
        lane.resize(828, 60);
        m_axis.setVisible({s(1), s(3)});
        for (const Qt::KeyboardModifiers modifiers : {Qt::KeyboardModifiers(), Qt::KeyboardModifiers(Qt::ShiftModifier)}) { // Shift: sideways
            m_axis.setVisible({s(1), s(3)});
            wheel(lane, at(lane, 2), -120, modifiers);
            QVERIFY(m_axis.visible().start > s(1));
            QVERIFY(std::abs(m_axis.visible().length().value() - 2) < 1e-9);
        }
        m_axis.setVisible({s(1), s(3)});
        const QPoint where = at(lane, 1.5);
        const Seconds before = lane.timeAt(where.x());
        wheel(lane, where, 120, Qt::ControlModifier);
        QVERIFY(m_axis.visible().length() < s(2));
        QVERIFY(std::abs((lane.timeAt(where.x()) - before).value()) < 1e-9);
    }

    void clickSetsTheCursorExactly() {
        PlainLane lane;
        lane.setAxis(&m_axis);
        lane.resize(828, 60);
        const QPoint where = at(lane, 2.5);
        QTest::mouseClick(&lane, Qt::LeftButton, {}, where);
        QCOMPARE(*m_axis.cursor(), lane.timeAt(where.x()));
        QVERIFY(!m_axis.selection());
    }

    void dragSelectsAndSnapsUnlessAlt() {
        PlainLane lane;
        lane.setAxis(&m_axis);
        lane.resize(828, 60);
        m_axis.setSnapBounds({s(1), s(2)});
        const double near = 4.0 / lane.plotRect().width() * 4; // 4 pixels
        drag(lane, 1 + near, 2 - near);
        QVERIFY(m_axis.selection());
        QCOMPARE(m_axis.selection()->start, s(1));
        QCOMPARE(m_axis.selection()->end, s(2));
        m_axis.setSelection(std::nullopt);
        drag(lane, 1 + near, 2 - near, Qt::AltModifier);
        QVERIFY(m_axis.selection()->start > s(1));
        QVERIFY(m_axis.selection()->end < s(2));
        QCOMPARE(*m_axis.cursor(), s(0)); // a drag is no click
    }

    void aBoundOfTheSelectionCanBeMoved() {
        PlainLane lane;
        lane.setAxis(&m_axis);
        lane.resize(828, 60);
        m_axis.setSelection(TimeSpan{s(1), s(2)});
        drag(lane, 2, 3);
        QCOMPARE(m_axis.selection()->start, s(1));
        QVERIFY(std::abs(m_axis.selection()->end.value() - 3) < 0.01);
    }

    void escapeTakesBackWhatIsDragged() {
        PlainLane lane;
        lane.setAxis(&m_axis);
        lane.resize(828, 60);
        m_axis.setSelection(TimeSpan{s(3), s(3.5)});
        QTest::mousePress(&lane, Qt::LeftButton, {}, at(lane, 1));
        QMouseEvent move(QEvent::MouseMove, QPointF(at(lane, 2)), QPointF(at(lane, 2)), Qt::NoButton,
                         Qt::LeftButton, {});
        QApplication::sendEvent(&lane, &move);
        QVERIFY(m_axis.selection()->start < s(1.1));
        QKeyEvent shortcut(QEvent::ShortcutOverride, Qt::Key_Escape, {});
        shortcut.ignore();
        QApplication::sendEvent(&lane, &shortcut);
        QVERIFY(shortcut.isAccepted()); // ours now, not "Cancel" of the menu
        QTest::keyClick(&lane, Qt::Key_Escape);
        QVERIFY(*m_axis.selection() == (TimeSpan{s(3), s(3.5)}));
        QTest::mouseRelease(&lane, Qt::LeftButton, {}, at(lane, 2));
        QVERIFY(*m_axis.selection() == (TimeSpan{s(3), s(3.5)}));
    }

    void middleDragPans() {
        PlainLane lane;
        lane.setAxis(&m_axis);
        lane.resize(828, 60);
        m_axis.setVisible({s(1), s(2)});
        const double moment = 1.5;
        QTest::mousePress(&lane, Qt::MiddleButton, {}, at(lane, moment));
        const QPoint to = at(lane, moment) + QPoint(70, 0);
        QMouseEvent move(QEvent::MouseMove, QPointF(to), QPointF(to), Qt::NoButton, Qt::MiddleButton, {});
        QApplication::sendEvent(&lane, &move);
        QVERIFY(std::abs(lane.xOf(s(moment)) - to.x()) < 1);
        QTest::mouseRelease(&lane, Qt::MiddleButton, {}, to);
    }

    void movingSetsThePointerAndLeavingClearsIt() {
        PlainLane lane;
        lane.setAxis(&m_axis);
        lane.resize(828, 60);
        QMouseEvent move(QEvent::MouseMove, QPointF(at(lane, 1)), QPointF(at(lane, 1)), Qt::NoButton,
                         Qt::NoButton, {});
        QApplication::sendEvent(&lane, &move);
        QVERIFY(m_axis.pointer());
        QEvent leave(QEvent::Leave);
        QApplication::sendEvent(&lane, &leave);
        QVERIFY(!m_axis.pointer());
    }

    void aMovedCursorLeavesNoTrace() {
        Ruler ruler;
        ruler.setAxis(&m_axis);
        ruler.resize(828, 24);
        ruler.show();
        QVERIFY(QTest::qWaitForWindowExposed(&ruler));
        for (const double time : {1.0, 1.05, 3.0}) {
            m_axis.setCursor(s(time));
            QCoreApplication::processEvents();
        }
        // What the partial repaints left on the screen is what painting everything gives.
        const QImage shown =
            ruler.screen()->grabWindow(ruler.winId()).toImage().convertToFormat(QImage::Format_RGB32);
        const QImage whole = ruler.grab().toImage().convertToFormat(QImage::Format_RGB32);
        QCOMPARE(shown.size(), whole.size());
        QVERIFY(shown == whole);
    }

    void aLaneWithoutAnAxisTakesEverythingCalmly() {
        PlainLane lane;
        lane.resize(828, 60);
        QTest::mouseClick(&lane, Qt::LeftButton, {}, {300, 20});
        wheel(lane, {300, 20}, 120, Qt::ControlModifier);
        QVERIFY(!lane.grab().isNull());
        auto* axis = new TimeAxis;
        axis->setExtent(s(2));
        lane.setAxis(axis);
        delete axis;
        QVERIFY(!lane.axis());
        QVERIFY(!lane.grab().isNull());
    }

    void theCursorStandsOnItsPixelInEveryLane_data() {
        QTest::addColumn<double>("ratio");
        QTest::newRow("1") << 1.0;
        QTest::newRow("2") << 2.0;
    }
    void theCursorStandsOnItsPixelInEveryLane() {
        QFETCH(double, ratio);
        PlainLane lane;
        Ruler ruler;
        m_axis.setCursor(s(1.7));
        for (TimeLane* one : {static_cast<TimeLane*>(&lane), static_cast<TimeLane*>(&ruler)}) {
            one->setAxis(&m_axis);
            one->resize(828, 60);
            QImage image(one->size() * ratio, QImage::Format_ARGB32_Premultiplied);
            image.setDevicePixelRatio(ratio);
            QPainter painter(&image);
            one->renderTo(painter, one->rect());
            painter.end();
            const int y = int(50 * ratio);
            const double x = one->xOf(s(1.7)) * ratio;
            QCOMPARE(QColor(image.pixel(int(x), y)), Theme::current().accent);
            QVERIFY(QColor(image.pixel(int(x + 3 * ratio), y)) != Theme::current().accent);
            QVERIFY(QColor(image.pixel(int(x - 3 * ratio), y)) != Theme::current().accent);
        }
    }

    /// At 1.5× two lanes meet within a row of pixels: half of what had stood there before the layout stayed as dots between them.
    void nothingOfWhatStoodThereIsLeftBetweenLanes() {
        QWidget frame;
        PlainLane upper(&frame), lower(&frame);
        upper.setGeometry(0, 0, 828, 25);
        lower.setGeometry(0, 25, 828, 61);
        frame.resize(828, 86);
        constexpr double kRatio = 1.5;
        const auto over = [&](Qt::GlobalColor before) {
            QImage image((QSizeF(frame.size()) * kRatio).toSize(), QImage::Format_ARGB32_Premultiplied);
            image.setDevicePixelRatio(kRatio);
            image.fill(before);
            frame.render(&image, {}, {}, QWidget::DrawChildren);
            return image;
        };
        const QImage red = over(Qt::red);
        QCOMPARE(QColor(red.pixel(3, 3)), Theme::current().panel);
        QCOMPARE(red, over(Qt::green));
    }
};

HEADROOM_TEST(TimeLaneTest)

} // namespace headroom::testing::time_lane_test

#include "time_lane_test.moc"
