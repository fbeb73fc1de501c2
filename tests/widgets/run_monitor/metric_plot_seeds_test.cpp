// SPDX-License-Identifier: GPL-3.0-or-later
// A mean where not all seeds have a value.
#include "tests/support/runner.h"
#include "tests/widgets/run_monitor/sample_runs.h"
#include "widgets/look/theme.h"
#include "widgets/run_monitor/cursor_overlay.h"
#include "widgets/run_monitor/metric_plot.h"

#include <QImage>
#include <QTest>
#include <qcustomplot.h>

#include <cmath>

namespace headroom::testing::metric_plot_seeds_test {

using namespace headroom::widgets;

class MetricPlotSeedsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { Theme::apply(QStringLiteral("light")); }
    void init() {
        m_plot = std::make_unique<MetricPlot>(MetricPlot::Metric{QStringLiteral("validation.wer"), QStringLiteral("WER"), 1, 1, false, true});
        m_plot->resize(500, 300);
        m_plot->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_plot.get()));
    }

    /// The mean of two seeds went on as the second one alone in the same style, with a wedge of the band.
    void whatIsLeftOfAMeanIsALineOfItsOwn() {
        m_plot->setRuns({{QStringLiteral("one"), 0, {sampleCurves(100), sampleCurves(50, 20)}}});
        QVERIFY(m_plot->hasMeansOfFewer());
        double mean = 0, fewer = 0, band = 0, whole = 0, thin = 0; // the last update of each line and the first of the thin one; widths
        for (int i = 0; i < m_plot->findChild<QCustomPlot*>()->graphCount(); ++i) {
            const QCPGraph* graph = m_plot->findChild<QCustomPlot*>()->graph(i);
            const double last = (graph->data()->constEnd() - 1)->key;
            if (graph->pen().style() == Qt::NoPen) {
                band = std::max(band, last);
            } else if (last > 50) {
                fewer = graph->data()->constBegin()->key;
                thin = graph->pen().widthF();
            } else {
                mean = last;
                whole = graph->pen().widthF();
            }
        }
        QCOMPARE(mean, 50.0);
        QCOMPARE(band, 50.0);
        QCOMPARE(fewer, 60.0); // it does not join the mean
        QVERIFY(thin < whole);
        if (const QString picture = qEnvironmentVariable("HEADROOM_PICTURE_OF_SEEDS"); !picture.isEmpty())
            QVERIFY(m_plot->grab().save(picture));
    }

    /// Where one point is left of fewer seeds there is no thin line to tell it by, and it looked like a point of the mean.
    void aLonePointOfFewerSeedsIsSmall() {
        m_plot->setRuns({{QStringLiteral("one"), 0, {sampleCurves(60), sampleCurves(50, 20)}}});
        double whole = 0, lone = 0; // sizes of markers
        for (int i = 0; i < m_plot->findChild<QCustomPlot*>()->graphCount(); ++i) {
            const QCPGraph* graph = m_plot->findChild<QCustomPlot*>()->graph(i);
            if (graph->pen().style() != Qt::NoPen)
                (graph->dataCount() == 1 ? lone : whole) = graph->scatterStyle().isNone() ? 0 : graph->scatterStyle().size();
        }
        QVERIFY2(lone > 0 && lone < 0.7 * whole, qPrintable(QStringLiteral("%1 of %2").arg(lone).arg(whole)));
        if (const QString picture = qEnvironmentVariable("HEADROOM_PICTURE_OF_SEEDS"); !picture.isEmpty())
            QVERIFY(m_plot->grab().save(picture));
    }

    /// It leads nowhere and looked like the beginning of the mean.
    void aMeanAgainstHoursBeginsWhereAllSeedsHaveAValue() {
        const auto seed = [](double pace) {
            auto curves = std::make_shared<RunCurves>();
            for (int i = 10; i <= 50; i += 10)
                curves->add({{"event", "validation"}, {"update", i}, {"time", 1000 + pace * i}, {"wer", 100.0 / i}});
            curves->add({{"event", "step"}, {"update", 1}, {"time", 1000.0}, {"loss", 1.0}});
            return std::shared_ptr<const RunCurves>(curves);
        };
        CurveReading reading;
        reading.axis = CurveAxis::Hours;
        m_plot->setReading(reading);
        m_plot->setRuns({{QStringLiteral("one"), 0, {seed(36), seed(37)}}});
        double first = 1;
        for (int i = 0; i < m_plot->findChild<QCustomPlot*>()->graphCount(); ++i)
            first = std::min(first, m_plot->findChild<QCustomPlot*>()->graph(i)->data()->constBegin()->key);
        QVERIFY2(std::abs(first - 370 / 3600.0) < 1e-9, qPrintable(QString::number(first)));
        QCOMPARE(m_plot->tableText().count(QLatin1Char('\n')), 1 + 10); // every logged point
        m_plot->setReading({});
    }

    void theReadOutAndTheTableSayOfHowManySeeds() {
        m_plot->setRuns({{QStringLiteral("one"), 0, {sampleCurves(100), sampleCurves(50, 20)}}});
        QVERIFY2(m_plot->accessibleDescription().contains(QStringLiteral("1.0 (1 of 2 seeds)")), qPrintable(m_plot->accessibleDescription()));
        m_plot->setCursor(50);
        QVERIFY2(!m_plot->accessibleDescription().contains(QStringLiteral("seeds")), qPrintable(m_plot->accessibleDescription()));
        const QStringList rows = m_plot->tableText().split(QLatin1Char('\n'), Qt::SkipEmptyParts);
        QCOMPARE(rows.at(0).section(QLatin1Char('\t'), 4), QStringLiteral("seeds"));
        QCOMPARE(rows.at(5).section(QLatin1Char('\t'), 4), QStringLiteral("2"));
        QCOMPARE(rows.at(6).section(QLatin1Char('\t'), 3), QStringLiteral("\t1"));
    }

    /// Who smooths the copied values, or tests them, needs those of the log.
    void theTableIsNotSmoothed() {
        CurveReading reading;
        reading.smoothing = 0.9;
        m_plot->setMetric({QStringLiteral("loss"), QStringLiteral("Training loss")});
        m_plot->setReading(reading);
        m_plot->setRuns({{QStringLiteral("one"), 0, {sampleCurves(100)}}});
        QVERIFY(m_plot->valuesHere().at(0) > 0.0105); // at the last update, and drawn
        const QString last = m_plot->tableText().split(QLatin1Char('\n'), Qt::SkipEmptyParts).last();
        QCOMPARE(last.section(QLatin1Char('\t'), 2, 2).toDouble(), 0.01);
    }

    /// In a plot where the number alone had room, the box of values vanished when “(1 of 2 seeds)” joined it.
    void theBoxOfValuesStaysWhenSeedsJoinTheNumber() {
        m_plot->setMetric({QStringLiteral("learningRate"), QStringLiteral("LR, × 10⁻³"), 1e3, 2, false, false});
        const auto box = [&](int last, int width) { // its height in pixels; 0: there is none
            m_plot->resize(width, 300);
            m_plot->setRuns({{QStringLiteral("one"), 0, {sampleCurves(100), sampleCurves(last)}}});
            QImage image(width, 300, QImage::Format_RGB32);
            image.fill(Qt::magenta);
            m_plot->findChild<CursorOverlay*>()->render(&image, {}, {}, QWidget::DrawChildren);
            int height = 0;
            for (int y = 0; y < image.height(); ++y) { // a dot on the curve is far narrower
                int filled = 0;
                for (int x = 0; x < width; ++x)
                    filled += image.pixel(x, y) != QColor(Qt::magenta).rgb();
                height += filled > 50;
            }
            if (const QString picture = qEnvironmentVariable("HEADROOM_PICTURE_OF_BOXES"); !picture.isEmpty())
                m_plot->grab().save(picture.arg(last).arg(width));
            return height;
        };
        QVERIFY(box(100, 200) > 0 && box(100, 400) > 0);
        QCOMPARE(box(50, 400), box(100, 400)); // there is room for all on one line
        QVERIFY(box(50, 200) > box(100, 200)); // it goes below
        QCOMPARE(box(50, 100), 0); // there is no room for the number either
        QCOMPARE(box(100, 100), 0);
    }

    void seedsThatGoEquallyFarAreOneMean() {
        m_plot->setRuns({{QStringLiteral("one"), 0, {sampleCurves(100), sampleCurves(100, 20)}}, {QStringLiteral("two"), 1, {sampleCurves(50)}}});
        QVERIFY(!m_plot->hasMeansOfFewer());
        QVERIFY2(!m_plot->accessibleDescription().contains(QStringLiteral("seeds")), qPrintable(m_plot->accessibleDescription()));
    }

private:
    std::unique_ptr<MetricPlot> m_plot;
};

HEADROOM_TEST(MetricPlotSeedsTest)

} // namespace headroom::testing::metric_plot_seeds_test

#include "metric_plot_seeds_test.moc"
