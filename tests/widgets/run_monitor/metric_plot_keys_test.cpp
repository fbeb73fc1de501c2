// SPDX-License-Identifier: GPL-3.0-or-later
// The curves of training with the keyboard alone.
#include "tests/support/runner.h"
#include "tests/widgets/run_monitor/sample_runs.h"
#include "widgets/look/theme.h"
#include "widgets/run_monitor/metric_plot.h"

#include <QApplication>
#include <QClipboard>
#include <QSignalSpy>
#include <QTest>
#include <qcustomplot.h>

#include <cmath>

namespace headroom::testing::metric_plot_keys_test {

using namespace headroom::widgets;

class MetricPlotKeysTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { Theme::apply(QStringLiteral("light")); }
    void init() {
        m_plot = std::make_unique<MetricPlot>(MetricPlot::Metric{QStringLiteral("validation.wer"), QStringLiteral("WER"), 1, 1, false, true});
        m_plot->setRuns({{QStringLiteral("one"), 0, {sampleCurves(100)}}});
        m_plot->resize(500, 300);
        m_plot->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_plot.get()));
    }

    void tabReachesIt() { QVERIFY(m_plot->focusPolicy() & Qt::TabFocus); }

    void arrowsGoFromPointToPoint() {
        QSignalSpy moved(m_plot.get(), &MetricPlot::cursorMoved);
        key(Qt::Key_Home);
        QCOMPARE(m_plot->cursor(), std::optional(10.0));
        key(Qt::Key_Right);
        QCOMPARE(m_plot->cursor(), std::optional(20.0));
        QCOMPARE(m_plot->valuesHere().front(), 5.0); // 100 / 20
        QVERIFY2(m_plot->accessibleDescription().startsWith(QStringLiteral("update 20")), qPrintable(m_plot->accessibleDescription()));
        key(Qt::Key_End);
        QCOMPARE(m_plot->cursor(), std::optional(100.0));
        key(Qt::Key_Right); // it ends there
        QCOMPARE(m_plot->cursor(), std::optional(100.0));
        key(Qt::Key_Left);
        QCOMPARE(m_plot->cursor(), std::optional(90.0));
        key(Qt::Key_Left, Qt::ShiftModifier);
        QCOMPARE(m_plot->cursor(), std::optional(10.0));
        QCOMPARE(moved.count(), 6);
        key(Qt::Key_Escape);
        QVERIFY(!m_plot->cursor());
    }

    void plusAndMinusZoomAroundTheCursorWhichStaysInView() {
        const auto all = m_plot->visibleSpan();
        key(Qt::Key_Home);
        for (int time = 0; time < 5; ++time)
            key(Qt::Key_Plus);
        const auto near = m_plot->visibleSpan();
        QVERIFY(near.second - near.first < (all.second - all.first) / 2);
        QVERIFY(near.first <= 10 && 10 <= near.second);
        key(Qt::Key_End);
        QVERIFY(m_plot->visibleSpan().first <= 100 && 100 <= m_plot->visibleSpan().second);
        key(Qt::Key_Minus);
        QVERIFY(m_plot->visibleSpan().second - m_plot->visibleSpan().first > near.second - near.first);
        key(Qt::Key_0);
        QVERIFY(m_plot->visibleSpan() == all);
    }

    /// A band was cut where the curves beside it made the points many.
    void theAxisHoldsTheBandBesideOtherCurves() {
        m_plot->setRuns({{QStringLiteral("one"), 0, {sampleCurves(200)}},
                         {QStringLiteral("two"), 1, {sampleCurves(200), sampleCurves(200, 20)}},
                         {QStringLiteral("three"), 2, {sampleCurves(200)}}});
        const QCPRange range = m_plot->findChild<QCustomPlot*>()->yAxis->range();
        const double deviation = std::sqrt(200.0); // of 0 and 20, as of a sample
        QVERIFY2(range.upper > 20 + deviation, qPrintable(QString::number(range.upper)));
        QVERIFY2(range.lower <= 0.5, qPrintable(QString::number(range.lower)));
    }

    void copyingGivesEveryPointInFullPrecision() {
        key(Qt::Key_C, Qt::ControlModifier);
        const QStringList lines = QApplication::clipboard()->text().split(QLatin1Char('\n'), Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), 11);
        QCOMPARE(lines.at(0), QStringLiteral("experiment\tupdate\tWER\tdeviation\tseeds"));
        const QStringList third = lines.at(3).split(QLatin1Char('\t'));
        QCOMPARE(third.at(0), QStringLiteral("one"));
        QCOMPARE(third.at(1).toDouble(), 30.0);
        QCOMPARE(third.at(2).toDouble(), 100.0 / 30);
    }

private:
    void key(Qt::Key which, Qt::KeyboardModifiers modifiers = {}) { QTest::keyClick(m_plot.get(), which, modifiers); }
    std::unique_ptr<MetricPlot> m_plot;
};

HEADROOM_TEST(MetricPlotKeysTest)

} // namespace headroom::testing::metric_plot_keys_test

#include "metric_plot_keys_test.moc"
