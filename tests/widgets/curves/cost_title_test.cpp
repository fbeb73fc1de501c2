// SPDX-License-Identifier: GPL-3.0-or-later
// The title of a cost in a narrow panel.
#include "tests/support/runner.h"
#include "widgets/curves/cost_plot.h"
#include "widgets/look/theme.h"

#include <QTest>
#include <qcustomplot.h>

namespace headroom::testing::cost_title_test {

using namespace headroom::widgets;

class CostTitleTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { Theme::apply(QStringLiteral("light")); }

    /// The edge of the panel cut “MACs of the encoder, G” and with it the unit.
    void aTitleThatDoesNotFitIsShortened() {
        const QString whole = QStringLiteral("Latency of the language model, ms"), brief = QStringLiteral("Latency, ms");
        CostPlot plot({}, {});
        plot.setTitle(whole, brief);
        plot.setTip(QStringLiteral("96 tokens: 4 ms"));
        QStringList seen;
        for (int width = 400; width >= 80; width -= 4) {
            plot.resize(width, 160);
            plot.show({{0, 1}, {0, 1}}, {}, {}, 1);
            const auto* title = plot.findChild<QCPItemText*>(QStringLiteral("title"));
            QVERIFY(title);
            QVERIFY2(title->right->pixelPosition().x() <= width, qPrintable(QStringLiteral("%1 at %2").arg(title->text()).arg(width)));
            QCOMPARE(plot.toolTip(), (title->text() == whole ? QString() : whole + u'\n') + QStringLiteral("96 tokens: 4 ms"));
            if (!seen.contains(title->text()))
                seen << title->text();
        }
        QCOMPARE(seen.mid(0, 2), (QStringList{whole, brief}));
        QVERIFY2(seen.size() == 2 || seen[2].endsWith(u'…'), qPrintable(seen.join(u'|')));
        plot.resize(CostPlot({}, {}).minimumSizeHint());
        plot.show({{0, 1}, {0, 1}}, {}, {}, 1);
        QCOMPARE(plot.findChild<QCPItemText*>(QStringLiteral("title"))->text(), brief); // whole in the narrowest panel
        QCOMPARE(plot.accessibleName(), whole);
    }

    void oneTokenIsNoPlural() {
        CostPlot plot(QStringLiteral("MACs"), {});
        plot.show({{0, 1}, {0, 2}}, {}, {}, 1);
        QCOMPARE(plot.accessibleDescription(), QStringLiteral("2.0 at 1 token."));
    }
};

HEADROOM_TEST(CostTitleTest)

} // namespace headroom::testing::cost_title_test

#include "cost_title_test.moc"
