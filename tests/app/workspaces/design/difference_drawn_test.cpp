// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/design/difference.h"
#include "app/workspaces/design/difference_panel.h"
#include "core/architecture/head_grid.h"
#include "tests/support/pictures.h"
#include "tests/support/runner.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"

#include <QImage>
#include <QSignalSpy>
#include <QTest>

namespace headroom::testing::difference_drawn_test {

using namespace headroom::app;

class DifferenceDrawnTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }

    /// Layers in which only γ differed were marked as different, with the same picture in both lines.
    void relaxedHeadsLookOtherwise() {
        Architecture before, now;
        before.encoder.layers = {{parseHeads("4 full")}};
        now.encoder.layers = {{parseHeads("4 full relaxed 0.01")}};
        DifferencePanel panel;
        panel.resize(600, 200);
        panel.show();
        DifferencePanel::Content content;
        content.difference = app::differenceOf(before, now);
        const auto linesDiffer = [&] {
            panel.showContent(content);
            const QImage drawn = panel.viewport()->grab().toImage();
            const int row = qRound(3 * widgets::Sizes::unit()), top = qRound(widgets::Sizes::unit() / 2);
            return drawn.copy(0, top + row, drawn.width(), row) != drawn.copy(0, top + 2 * row, drawn.width(), row);
        };
        QVERIFY(linesDiffer());
        // Only the tip told two values apart.
        for (const auto& [was, is] : {std::pair("4 full relaxed 0.01", "4 full relaxed 0.25"),
                                      std::pair("4 full relaxed 0.01 matched fuzzy 0.03", "4 full relaxed 0.01 matched fuzzy 0.3"),
                                      std::pair("4 full suppressed 0.5", "4 full suppressed 0.75"),
                                      std::pair("4 full relaxed 0.05", "3 full relaxed 0.05 + 1 full"),
                                      std::pair("4 full relaxed 0.05 matched", "4 full relaxed 0.05"),
                                      std::pair("12 full relaxed 0.01", "12 full relaxed 0.02")}) {
            before.encoder.layers = {{parseHeads(was)}};
            now.encoder.layers = {{parseHeads(is)}};
            content.difference = app::differenceOf(before, now);
            QVERIFY2(linesDiffer(), is);
        }
        content.difference.layers.front().now = content.difference.layers.front().before;
        QVERIFY(!linesDiffer()); // else nothing was compared
    }

    /// The header ended in "…" before it, and no column was the decoder's.
    void theCrossAttentionHasAColumnWhereItDiffers() {
        Architecture before, now;
        before.encoder.layers = std::vector(12, Architecture::Layer{parseHeads("4 full")});
        before.decoder.emplace().crossAttention = parseHeads("4 full");
        now = before;
        DifferencePanel panel;
        panel.resize(640, 120);
        panel.show();
        DifferencePanel::Content content;
        content.difference = app::differenceOf(before, now);
        panel.showContent(content);
        QVERIFY(!content.difference.cross);
        const QRect columns = panel.viewport()->geometry();
        now.decoder->crossAttention = parseHeads("4 full relaxed 0.25");
        content.difference = app::differenceOf(before, now);
        QVERIFY(content.difference.cross && content.difference.cross->changedHeads == 4);
        QCOMPARE(content.difference.changedHeads, 0); // its heads are not those of the encoder
        panel.showContent(content);
        const int room = columns.right() - panel.viewport()->geometry().right();
        QVERIFY(room > 0);
        const QPoint column(panel.viewport()->geometry().right() + room / 2, 50);
        const QImage drawn = panel.grab().toImage();
        QVERIFY(drawn.pixelColor(panel.viewport()->geometry().right() + 4, 4) == widgets::Theme::current().tint);
        HEADROOM_COMPARE_PICTURE(drawn, "difference-decoder");
        QSignalSpy chosen(&panel, &DifferencePanel::layerChosen);
        QTest::mouseClick(&panel, Qt::LeftButton, {}, column);
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(chosen[0][0].toInt(), kCrossAttention);
        now.decoder.reset(); // then there is none to compare
        QVERIFY(!app::differenceOf(before, now).cross);
    }

    void valuesStandBelowTheHeads() {
        Architecture before, now;
        for (const auto& [was, is] : {std::pair("4 full", "4 full relaxed 0.01"), std::pair("4 full relaxed 0.01", "4 full relaxed 0.25"),
                                      std::pair("12 full relaxed 0.01 matched fuzzy 0.03", "12 full relaxed 0.01 matched fuzzy 0.3"),
                                      std::pair("2 full suppressed 0.5 + 2 local 5", "2 full suppressed 0.75 + 2 local 5"), std::pair("4 full", "4 full")}) {
            before.encoder.layers.push_back({parseHeads(was)});
            now.encoder.layers.push_back({parseHeads(is)});
        }
        DifferencePanel panel;
        DifferencePanel::Content content;
        content.difference = app::differenceOf(before, now);
        content.macs.assign(5, 1.0);
        panel.resize(440, 112);
        panel.showContent(content);
        HEADROOM_COMPARE_PICTURE(panel.grab().toImage(), "difference-modifiers");
    }
};

HEADROOM_TEST(DifferenceDrawnTest)

} // namespace headroom::testing::difference_drawn_test

#include "difference_drawn_test.moc"
