// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/study_plots/spread_plot.h"

#include "tests/support/runner.h"
#include "widgets/look/theme.h"

#include <qcustomplot.h>
#include <QTest>

namespace headroom::testing::spread_plot_test {

using namespace headroom::widgets;

class SpreadPlotTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { Theme::apply(QStringLiteral("light")); }

    /// In a low panel a legend inside covered every curve.
    void theNamesOfCurvesStandUnderThePlot() {
        SpreadPlot plot;
        plot.resize(300, 130);
        SpreadPlot::Series one{QStringLiteral("demo"), {1, 2, 3}, {0.2, 0.5, 0.9}, {}, 0},
            two{QStringLiteral("s2t"), {1, 2, 3}, {0.3, 0.4, 0.8}, {}, 1},
            quiet{QString(), {1, 2, 3}, {0.1, 0.2, 0.3}, {}, 0, true};
        plot.setSeries({QStringLiteral("D(w)"), QStringLiteral("w"), {}, 0.0, 1.0}, {one, two, quiet});
        QCOMPARE(plot.keyEntries().size(), std::size_t(2));
        QCOMPARE(plot.keyEntries().back().name, QStringLiteral("s2t"));
        const auto* inner = plot.findChild<QCustomPlot*>();
        QVERIFY(!inner->legend->visible());
        QVERIFY(inner->geometry().bottom() < plot.rect().bottom() - 8); // what the key takes
        plot.setSeries({QStringLiteral("D(w)"), QStringLiteral("w"), {}, 0.0, 1.0}, {one, quiet});
        QVERIFY(plot.keyEntries().empty()); // one curve is named by the title
    }
};

HEADROOM_TEST(SpreadPlotTest)

} // namespace headroom::testing::spread_plot_test

#include "spread_plot_test.moc"
