// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/runner.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"
#include "widgets/tiers/tier_lane.h"

#include <cmath>

#include <QApplication>
#include <QBuffer>
#include <QHelpEvent>
#include <QPainter>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QSvgGenerator>
#include <QTest>
#include <QToolTip>

namespace headroom::testing::tiers_test {

using namespace headroom::widgets;

namespace {

Seconds s(double value) {
    return Seconds(value);
}

std::vector<Interval> words() {
    return {{s(0), s(0.5), ""},
            {s(0.5), s(1.5), "see"},
            {s(1.5), s(1.52), "incomprehensible"},
            {s(2), s(3), "begin"}};
}

} // namespace

class TiersTest : public QObject {
    Q_OBJECT

    TimeAxis m_axis;

private Q_SLOTS:
    void initTestCase() { Theme::apply(QStringLiteral("light")); }
    void init() {
        m_axis.setExtent(s(0));
        m_axis.setExtent(s(3));
    }

    void theIntervalAtATimeIncludesItsStartOnly() {
        TierLane lane(TierLane::Kind::Words);
        QVERIFY(!lane.intervalAt(s(1)));
        lane.setIntervals(words());
        QCOMPARE(lane.intervalAt(s(0.5))->label, std::string("see"));
        QCOMPARE(lane.intervalAt(s(1.4999))->label, std::string("see"));
        QCOMPARE(lane.intervalAt(s(1.5))->label, std::string("incomprehensible"));
        QVERIFY(!lane.intervalAt(s(1.8))); // a gap
        QVERIFY(!lane.intervalAt(s(3)));
        QVERIFY(!lane.intervalAt(s(-1)));
    }

    void aClickActivatesAnIntervalAndADragDoesNot() {
        TierLane lane(TierLane::Kind::Words);
        lane.resize(600, 24);
        lane.setAxis(&m_axis);
        lane.setIntervals(words());
        QSignalSpy activated(&lane, &TierLane::intervalActivated);
        const auto at = [&](double time) { return QPoint(qRound(lane.xOf(s(time))), 12); };
        QTest::mouseClick(&lane, Qt::LeftButton, {}, at(2.5));
        QCOMPARE(activated.count(), 1);
        QCOMPARE(activated[0][0].toInt(), 3);
        QTest::mouseClick(&lane, Qt::LeftButton, {}, at(1.8)); // a gap
        QTest::mousePress(&lane, Qt::LeftButton, {}, at(0.6));
        QTest::mouseMove(&lane, at(1.4));
        QTest::mouseRelease(&lane, Qt::LeftButton, {}, at(1.4));
        QCOMPARE(activated.count(), 1);
    }

    void silenceHasAWordInEachTier() {
        TierLane first(TierLane::Kind::Words), second(TierLane::Kind::Phones);
        QCOMPARE(first.shownLabel({s(0), s(1), ""}), QStringLiteral("silence"));
        QCOMPARE(second.shownLabel({s(0), s(1), "sil"}), QStringLiteral("sil"));
        QCOMPARE(second.shownLabel({s(0), s(1), "ʃ"}), QStringLiteral("ʃ"));
    }

    void aNameThatDoesNotFitBecomesADotWithATooltip() {
        TierLane lane(TierLane::Kind::Words);
        lane.setAxis(&m_axis);
        lane.resize(828, 24);
        lane.setIntervals(words());
        QVERIFY(lane.labelFits(*lane.intervalAt(s(1))));
        QVERIFY(!lane.labelFits(*lane.intervalAt(s(1.51))));
        const QPoint where(int(lane.xOf(s(1.51))), 12);
        QHelpEvent help(QEvent::ToolTip, where, lane.mapToGlobal(where));
        QApplication::sendEvent(&lane, &help);
        QVERIFY(QToolTip::text().startsWith(QStringLiteral("incomprehensible, 1.500 to 1.520")));
        m_axis.setVisible({s(1.5), s(1.52)});
        QVERIFY(lane.labelFits(*lane.intervalAt(s(1.51))));
    }

    /// "The|dog" reads as one word.
    void wordsDoNotTouchTheirBounds() {
        TierLane lane(TierLane::Kind::Words);
        lane.setAxis(&m_axis);
        lane.resize(828, 24);
        const double perSecond = lane.xOf(s(1)) - lane.xOf(s(0));
        const double width = QFontMetricsF(Sizes::small()).horizontalAdvance(QStringLiteral("Thedog"));
        lane.setIntervals(
            {{s(0), s((width + 1) / perSecond), "Thedog"}, {s(1), s(1 + (width + 6) / perSecond), "Thedog"}});
        QVERIFY(!lane.labelFits(*lane.intervalAt(s(0.001))));
        QVERIFY(lane.labelFits(*lane.intervalAt(s(1.001))));
        const QString cut = lane.elidedLabel(*lane.intervalAt(s(0.001)), width);
        QVERIFY2(!cut.isEmpty() && cut.endsWith(QChar(0x2026)), qPrintable(cut));
    }

    void theWordUnderTheCursorIsTinted() {
        TierLane lane(TierLane::Kind::Words);
        lane.setAxis(&m_axis);
        lane.resize(828, 24);
        lane.setIntervals(words());
        m_axis.setCursor(s(2.2));
        const QImage image = lane.grab().toImage();
        QCOMPARE(QColor(image.pixel(int(lane.xOf(s(2.9))), 3)), Theme::current().selectedRow);
        QCOMPARE(QColor(image.pixel(int(lane.xOf(s(0.6))), 3)), Theme::current().panel);
    }

    void boundsStandOnTheirPixels() {
        TierLane lane(TierLane::Kind::Words);
        lane.setAxis(&m_axis);
        lane.resize(828, 24);
        lane.setIntervals(words());
        m_axis.setCursor(std::nullopt);
        const QImage image = lane.grab().toImage();
        for (const double bound : {0.5, 1.5, 2.0})
            QCOMPARE(QColor(image.pixel(int(std::floor(lane.xOf(s(bound)))), 3)),
                     Theme::current().buttonBorder);
    }

    void doubleClickFitsTheWord() {
        TierLane lane(TierLane::Kind::Words);
        lane.setAxis(&m_axis);
        lane.resize(828, 24);
        lane.setIntervals(words());
        QTest::mouseDClick(&lane, Qt::LeftButton, {}, {int(lane.xOf(s(1))), 12});
        QVERIFY(std::abs(m_axis.visible().start.value() - 0.4) < 1e-9);
        QVERIFY(std::abs(m_axis.visible().end.value() - 1.6) < 1e-9);
    }

    void aMissingTierSaysWhy() {
        TierLane lane(TierLane::Kind::Phones);
        lane.setIntervals({}, QStringLiteral("No phones in a.TextGrid."));
        QCOMPARE(lane.accessibleDescription(), QStringLiteral("No phones in a.TextGrid."));
        QVERIFY(!lane.grab().isNull());
    }

    void aMissingTierLeavesRoomForAButton() {
        TierLane lane(TierLane::Kind::Words);
        lane.setAxis(&m_axis);
        lane.setIntervals({}, QStringLiteral("No alignment for a recording whose name is as long as this one is"));
        QPushButton button(QStringLiteral("Align…"), &lane);
        for (const int width : {240, 360, 520, 900, 1400}) {
            lane.resize(width, lane.sizeHint().height());
            const QRect plot = lane.plotRect().toRect();
            button.setGeometry(plot.right() - 70, 0, 60, lane.height()); // the style makes it higher than the lane
            lane.show();
            QImage painted(lane.size(), QImage::Format_RGB32);
            painted.fill(Qt::white);
            lane.render(&painted, {}, {}, QWidget::DrawWindowBackground); // without the button
            const QRect below = (button.geometry() & lane.rect()).adjusted(0, 3, 0, -3);
            for (int x = below.left(); x <= below.right(); ++x)
                for (int y = below.top(); y <= below.bottom(); ++y)
                    QVERIFY2(painted.pixel(x, y) == painted.pixel(below.topLeft()),
                             qPrintable(QStringLiteral("%1, %2 at %3").arg(x).arg(y).arg(width)));
            const QPoint at(plot.left() + 5, plot.center().y());
            QToolTip::hideText();
            QHelpEvent help(QEvent::ToolTip, at, lane.mapToGlobal(at));
            QApplication::sendEvent(&lane, &help);
            QTRY_VERIFY(QToolTip::text().endsWith(QStringLiteral("as this one is")));
        }
    }

    void readersHearOfTheWordAtTheCursor() {
        TierLane lane(TierLane::Kind::Words);
        lane.setAxis(&m_axis);
        lane.resize(828, 24);
        lane.setIntervals(words());
        lane.grab();
        m_axis.setCursor(s(2.5));
        QTRY_VERIFY_WITH_TIMEOUT(lane.accessibleDescription().contains(QStringLiteral("begin")), 60000);
    }

    void textStaysTextInVectorPictures() {
        TierLane lane(TierLane::Kind::Words);
        lane.setAxis(&m_axis);
        lane.resize(300, 24);
        lane.setIntervals(words());
        QBuffer buffer;
        QVERIFY(buffer.open(QIODevice::WriteOnly));
        QSvgGenerator svg;
        svg.setOutputDevice(&buffer);
        svg.setSize({900, 100});
        QPainter painter(&svg);
        lane.renderTo(painter, {50, 10, 828, 40});
        painter.end();
        QVERIFY(buffer.data().contains(">see</text>"));
        QVERIFY(buffer.data().contains(">begin</text>"));
        QCOMPARE(lane.plotRect().width(), 300.0 - 128.0); // the widget is as it was
    }

    /// The beginning of a word says more than a dot; half a phone would be another phone. In figures too.
    void aWordIsElidedWhereTwoLettersFitAndAPhoneIsNot() {
        const auto svgOf = [this](TierLane::Kind kind, double length) {
            TierLane lane(kind);
            lane.setAxis(&m_axis);
            lane.setIntervals({{s(0), s(length), "identification"}, {s(2), s(3), "begin"}});
            QBuffer buffer;
            QSvgGenerator svg;
            svg.setOutputDevice(&buffer);
            svg.setSize({900, 100});
            QPainter painter(&svg);
            lane.renderTo(painter, {50, 10, 828, 40});
            painter.end();
            return QString::fromUtf8(buffer.data());
        };
        const double second = 700 / 3.0; // pixels: 828 without the gutters
        const auto lengthOf = [&](double pixels) { return pixels / second; };
        const QRegularExpression beginning(QStringLiteral(">(ident?|ide|id|identi\\w*)\u2026</text>"));
        const QString wide = svgOf(TierLane::Kind::Words, lengthOf(45));
        QVERIFY2(beginning.match(wide).hasMatch(), qPrintable(wide));
        QVERIFY(!wide.contains(QStringLiteral(">identification</text>")));
        QVERIFY(!svgOf(TierLane::Kind::Words, lengthOf(12)).contains(QChar(0x2026))); // a dot
        QVERIFY(!svgOf(TierLane::Kind::Phones, lengthOf(45)).contains(QChar(0x2026)));
        QVERIFY(svgOf(TierLane::Kind::Words, lengthOf(200)).contains(QStringLiteral(">identification</text>")));
    }

    /// Half an H at the edge read as another letter.
    void whatTheEdgeCutsIsNotDrawnInPart() {
        const double second = 700 / 3.0;
        const double width = QFontMetricsF(Sizes::small()).horizontalAdvance(QStringLiteral("HH"));
        const auto drawn = [&](TierLane::Kind kind, double from, const char* label) {
            TierLane lane(kind);
            lane.setAxis(&m_axis);
            m_axis.setVisible({s(from), s(from + 2)});
            lane.setIntervals({{s(0.5), s(1), label}, {s(1), s(2), "AA"}});
            QBuffer buffer;
            QSvgGenerator svg;
            svg.setOutputDevice(&buffer);
            svg.setSize({900, 100});
            QPainter painter(&svg);
            lane.renderTo(painter, {50, 10, 828, 40});
            painter.end();
            QStringList texts;
            static const QRegularExpression text(QStringLiteral("<text[^>]*>([^<]*)</text>"));
            const QString all = QString::fromUtf8(buffer.data());
            for (const QRegularExpressionMatch& found : text.globalMatch(all))
                texts << found.captured(1);
            return texts;
        };
        QVERIFY(drawn(TierLane::Kind::Phones, 0, "HH").contains(QStringLiteral("HH")));
        const double inSight = (width - 3) / (second * 3 / 2); // seconds of it, of two that are visible
        const QStringList cut = drawn(TierLane::Kind::Phones, 1 - inSight, "HH");
        QVERIFY2(!cut.contains(QStringLiteral("HH")) && cut.contains(QStringLiteral("AA")), qPrintable(cut.join(u' ')));
    }

    /// A short word in a wide box stood larger than its neighbours, which looks like emphasis in a paper.
    void allWordsHaveLettersOfOneSize() {
        const double second = 700 / 3.0; // pixels: 828 without the gutters
        const double width = QFontMetricsF(Sizes::small()).horizontalAdvance(QStringLiteral("picture"));
        TierLane lane(TierLane::Kind::Words);
        lane.setAxis(&m_axis);
        lane.setIntervals({{s(0), s((width + 4) / second), "picture"}, // barely fits
                           {s(0.5), s(0.5 + 30 / second), "identification"},
                           {s(1), s(2), "as"},
                           {s(2), s(3), ""}});
        QBuffer buffer;
        QSvgGenerator svg;
        svg.setOutputDevice(&buffer);
        svg.setSize({900, 100});
        QPainter painter(&svg);
        lane.renderTo(painter, {50, 10, 828, 40});
        painter.end();
        const QString drawn = QString::fromUtf8(buffer.data());
        const QRegularExpression text(QStringLiteral("<text[^>]*font-size=\"([0-9.]+)\"[^>]*>([^<]*)</text>"));
        QStringList words;
        QSet<QString> sizes;
        for (const QRegularExpressionMatch& found : text.globalMatch(drawn)) {
            sizes << found.captured(1);
            words << found.captured(2);
        }
        QVERIFY2(words.contains(QStringLiteral("picture")) && words.contains(QStringLiteral("as")) &&
                     words.contains(QStringLiteral("silence")) && words.size() == 5, // with the tier's name
                 qPrintable(words.join(u' ')));
        QVERIFY2(sizes.size() == 1, qPrintable(drawn));
    }
};

HEADROOM_TEST(TiersTest)

} // namespace headroom::testing::tiers_test

#include "tiers_test.moc"
