// SPDX-License-Identifier: GPL-3.0-or-later
// The numbers along the axes of a cost.
#include "tests/support/runner.h"
#include "widgets/curves/cost_plot.h"
#include "widgets/look/theme.h"

#include <QSet>
#include <QTest>
#include <qcustomplot.h>

namespace headroom::testing::cost_ticks_test {

using namespace headroom::widgets;

class CostTicksTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { Theme::apply(QStringLiteral("light")); }

    /// “0, 0.00, 0.01, 0.01”
    void ticksOfSmallCostsDiffer() {
        CostPlot plot(QStringLiteral("MACs"), {});
        plot.resize(360, 180);
        auto* inner = plot.findChild<QCustomPlot*>();
        for (const double highest : {0.0002, 0.0088, 0.015, 0.4, 7.0}) {
            plot.show({{0, 50}, {0, highest}}, {}, {}, 50);
            const QStringList labels = inner->yAxis->tickVectorLabels();
            QVERIFY(labels.size() > 2);
            QVERIFY2(QSet<QString>(labels.begin(), labels.end()).size() == labels.size(), qPrintable(labels.join(u' ')));
        }
    }
};

HEADROOM_TEST(CostTicksTest)

} // namespace headroom::testing::cost_ticks_test

#include "cost_ticks_test.moc"
