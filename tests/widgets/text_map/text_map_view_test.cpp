// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/runner.h"
#include "widgets/look/theme.h"
#include "widgets/text_map/text_map_view.h"

#include <cmath>

#include <QBuffer>
#include <QPainter>
#include <QSignalSpy>
#include <QSvgGenerator>
#include <QTest>
#include <QWheelEvent>

namespace headroom::testing::text_map_view_test {

using namespace headroom::widgets;

namespace {

TimeSpan span(double start, double end) {
    return {Seconds(start), Seconds(end)};
}

/// Two words of three pieces and the end of the text, over 100 tokens of 40 ms.
void fill(TextMapView& view) {
    view.setText({{"He", 0, false}, {"pict", 1, false}, {"ures", 1, true}, {"end of text", -1, false}},
                 {{"He", 0, 1, span(0, 1), {}}, {"pictures", 1, 3, span(1, 2.5), span(1.1, 2.4)}});
    Matrix<float> map(4, 100, 0.0F);
    for (std::size_t token = 0; token < 100; ++token)
        map(token / 25, token) = 0.5F;
    view.setMap(std::make_shared<const MaxPyramid>(std::move(map)), TokenClock::speechToText());
}

} // namespace

class TextMapViewTest : public QObject {
    Q_OBJECT

    TimeAxis m_axis;

private Q_SLOTS:
    void initTestCase() { Theme::apply(QStringLiteral("light")); }
    void init() {
        m_axis.setExtent(Seconds(0));
        m_axis.setExtent(Seconds(4));
    }

    void aClickOnAnyPieceActivatesItsWord() {
        TextMapView view;
        view.resize(600, 200);
        view.setAxis(&m_axis);
        fill(view);
        QSignalSpy activated(&view, &TextMapView::wordActivated);
        for (const int row : {0, 1, 2, 3})
            QTest::mouseClick(&view, Qt::LeftButton, {}, view.rowRect(row).center().toPoint());
        QCOMPARE(activated.count(), 3); // the end of the text is no word
        QCOMPARE(activated[0][0].toInt(), 0);
        QCOMPARE(activated[1][0].toInt(), 1);
        QCOMPARE(activated[2][0].toInt(), 1);
    }

    void withoutTimesTheWordThatWasReachedIsTheCurrentOne() {
        TextMapView view;
        view.resize(600, 200);
        view.setAxis(&m_axis);
        fill(view);
        QVERIFY(view.rowToolTip(1).contains("Click to hear"));
        const auto withoutTimes = [&view](const char* second) {
            view.setText({{"He", 0, false}, {"pict", 1, false}, {"ures", 1, true}}, {{"He", 0, 1, {}, {}}, {second, 1, 3, {}, {}}});
        };
        withoutTimes("pictures");
        QCOMPARE(view.currentWord(), -1);
        QVERIFY(!view.rowToolTip(1).contains("hear"));
        QTest::keyClick(&view, Qt::Key_Down);
        QCOMPARE(view.currentWord(), 0);
        QTest::keyClick(&view, Qt::Key_Down);
        QCOMPARE(view.currentWord(), 1);
        QVERIFY2(view.accessibleDescription().endsWith("Word 2, pictures."), qPrintable(view.accessibleDescription()));
        QVERIFY(view.accessibleDescription().contains(" words.") && !view.accessibleDescription().contains("(s)"));
        withoutTimes("pictures"); // as another head is shown
        QCOMPARE(view.currentWord(), 1);
        withoutTimes("paintings");
        QCOMPARE(view.currentWord(), -1);
    }

    void theWordAtTheCursorIsTheCurrentOne() {
        TextMapView view;
        view.resize(600, 200);
        view.setAxis(&m_axis);
        fill(view);
        m_axis.setCursor(Seconds(0.5));
        QCOMPARE(view.currentWord(), 0);
        m_axis.setCursor(Seconds(1));
        QCOMPARE(view.currentWord(), 1);
        m_axis.setCursor(Seconds(3));
        QCOMPARE(view.currentWord(), -1);
        m_axis.setSelection(span(0, 1)); // played to its end
        m_axis.setCursor(Seconds(1));
        QCOMPARE(view.currentWord(), 0);
        QVERIFY(view.accessibleDescription().contains("Word 1, He"));
    }

    /// Over columns that are tokens of the text no word was marked until one was clicked.
    void theCursorOfTheSoundMarksTheWordWhereTheColumnsAreText() {
        TimeAxis text;
        text.setExtent(Seconds(4), AxisUnit::Tokens);
        TextMapView view;
        view.resize(600, 200);
        view.setAxis(&text);
        view.setWordAxis(&m_axis);
        fill(view);
        m_axis.setCursor(Seconds(0.5));
        QCOMPARE(view.currentWord(), 0);
        text.setCursor(Seconds(3));
        QCOMPARE(view.currentWord(), 0);
        m_axis.setCursor(Seconds(1));
        QVERIFY2(view.accessibleDescription().contains("Word 2"), qPrintable(view.accessibleDescription()));
        view.setAxis(&m_axis);
        view.setWordAxis(nullptr);
        m_axis.setCursor(Seconds(0.5));
        QVERIFY2(view.accessibleDescription().contains("Word 1"), qPrintable(view.accessibleDescription()));
    }

    void arrowKeysGoFromWordToWord() {
        TextMapView view;
        view.resize(600, 200);
        view.setAxis(&m_axis);
        fill(view);
        m_axis.setCursor(Seconds(0.5));
        QSignalSpy reached(&view, &TextMapView::wordReached), activated(&view, &TextMapView::wordActivated);
        QTest::keyClick(&view, Qt::Key_Down);
        QTest::keyClick(&view, Qt::Key_Up);
        QTest::keyClick(&view, Qt::Key_Return);
        QCOMPARE(reached.count(), 2);
        QCOMPARE(reached[0][0].toInt(), 1);
        QCOMPARE(reached[1][0].toInt(), 0); // there is no word before the first
        QCOMPARE(activated.count(), 1);
    }

    void rowsThatDoNotFitScroll() {
        TextMapView view;
        view.resize(600, 40);
        view.setAxis(&m_axis);
        fill(view);
        QVERIFY(view.rowRect(0).height() >= 8);
        QVERIFY(view.rowRect(3).bottom() > 40);
        m_axis.setCursor(Seconds(1.5)); // playback reaches the second word
        QVERIFY(view.rowRect(1).top() >= -0.5 && view.rowRect(1).top() < 40);
        QVERIFY(view.rowRect(0).top() < 0);
        const QPointF label(8, 20);
        QWheelEvent up(label, view.mapToGlobal(label), {}, {0, 1200}, Qt::NoButton, Qt::NoModifier,
                       Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(&view, &up);
        QVERIFY(view.rowRect(0).top() >= -0.5);
    }

    /// Only what was scrolled into view was in the file, and nothing said so.
    void aFigureHasAllRows() {
        TextMapView view;
        view.resize(600, 200);
        view.setAxis(&m_axis);
        std::vector<TextRow> rows;
        for (int row = 0; row < 60; ++row)
            rows.push_back({QStringLiteral("piece %1").arg(row), -1, false});
        view.setText(rows, {});
        view.setMap(std::make_shared<const MaxPyramid>(Matrix<float>(60, 100, 0.5F)), TokenClock::speechToText());
        QWheelEvent wheel({5, 100}, view.mapToGlobal(QPointF(5, 100)), {}, {0, -240}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(&view, &wheel);
        const QRectF before = view.rowRect(0);
        QVERIFY(before.top() < 0);
        QVERIFY(view.figureHeight() > 3 * view.height());
        QCOMPARE(view.figureRows(), std::pair(0, 60));
        QByteArray bytes;
        QBuffer buffer(&bytes);
        buffer.open(QIODevice::WriteOnly);
        QSvgGenerator generator;
        generator.setOutputDevice(&buffer);
        QPainter painter(&generator);
        view.renderTo(painter, QRect(0, 0, view.width(), view.figureHeight()));
        painter.end();
        for (const TextRow& row : rows)
            QVERIFY2(bytes.contains(row.label.toUtf8() + "</text>") || bytes.contains(row.label.toUtf8() + "\n"), qPrintable(row.label));
        QCOMPARE(view.rowRect(0), before); // the screen stays where it was
        rows.resize(TextMapView::kMostFigureRows + 1);
        view.setText(rows, {});
        QCOMPARE(view.figureHeight(), view.height());
        QVERIFY(view.figureRows().second < 60 && view.figureRows().second > view.figureRows().first);
    }

    void theScaleEndsAtThe99thPercentile() {
        TextMapView view;
        Matrix<float> map(10, 100, 0.125F);
        for (std::size_t token = 0; token < 5; ++token)
            map(0, token) = 1; // 5 of 1000 cells
        view.setMap(std::make_shared<const MaxPyramid>(std::move(map)), TokenClock::speechToText());
        QCOMPARE(view.range().high, 0.125);
    }

    /// Each pixel has the colour of its cell: the brightest row changes with time as the map says.
    void thePictureIsTheMap() {
        TextMapView view;
        view.resize(600, 200);
        view.setAxis(&m_axis);
        fill(view);
        view.setText({{"a"}, {"b"}, {"c"}, {"d"}}, {}); // without boxes
        m_axis.setCursor(std::nullopt);
        const QImage picture = view.grab().toImage();
        const double ratio = picture.devicePixelRatio();
        const auto lightness = [&](int row, double time) {
            const QPointF at(view.xOf(Seconds(time)), view.rowRect(row).center().y());
            return picture.pixelColor((at * ratio).toPoint()).lightness();
        };
        for (int row = 0; row < 4; ++row)
            for (int part = 0; part < 4; ++part)
                QVERIFY((lightness(row, part + 0.5) > 150) == (row == part));
    }

    /// Its colours stand for weights: a tint would change them.
    void aSelectionShowsItsBoundsOnly() {
        TextMapView view;
        view.resize(600, 200);
        view.setAxis(&m_axis);
        fill(view);
        view.setText({{"a"}, {"b"}, {"c"}, {"d"}}, {}); // without boxes
        m_axis.setCursor(std::nullopt);
        const QImage before = view.grab().toImage();
        m_axis.setSelection(TimeSpan{Seconds(1), Seconds(2)});
        const QImage after = view.grab().toImage();
        const auto at = [&](double time) {
            return (QPointF(view.xOf(Seconds(time)), view.rowRect(0).center().y()) * after.devicePixelRatio()).toPoint();
        };
        QCOMPARE(after.pixelColor(at(1.5)), before.pixelColor(at(1.5)));
        QVERIFY(after.pixelColor(at(1)) != before.pixelColor(at(1)));
    }

    /// Dynamic time warping may give two words one token.
    void theWordThatWasClickedIsTheCurrentOneOfTwoAtOneTime() {
        TextMapView view;
        view.resize(600, 200);
        view.setAxis(&m_axis);
        fill(view);
        view.setText({{"He", 0, false}, {"is", 1, false}, {"in", 2, false}},
                     {{"He", 0, 1, span(0, 1), {}}, {"is", 1, 2, span(1, 1.04), {}}, {"in", 2, 3, span(1, 1.04), {}}});
        const auto select = [&](int word) {
            m_axis.setSelection(*view.words()[static_cast<std::size_t>(word)].time);
            m_axis.setCursor(view.words()[static_cast<std::size_t>(word)].time->start);
        };
        connect(&view, &TextMapView::wordActivated, this, select);
        connect(&view, &TextMapView::wordReached, this, select);
        for (const int row : {2, 1, 2}) {
            QTest::mouseClick(&view, Qt::LeftButton, {}, view.rowRect(row).center().toPoint());
            QCOMPARE(view.currentWord(), row);
            QVERIFY(view.accessibleDescription().contains(view.words()[static_cast<std::size_t>(row)].label));
        }
        QTest::keyClick(&view, Qt::Key_Up);
        QCOMPARE(view.currentWord(), 1);
        QTest::keyClick(&view, Qt::Key_Down);
        QCOMPARE(view.currentWord(), 2);
    }
};

HEADROOM_TEST(TextMapViewTest)

} // namespace headroom::testing::text_map_view_test

#include "text_map_view_test.moc"
