// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/map/map_field.h"
#include "tests/support/runner.h"
#include "widgets/layer_editor/head_chip.h"
#include "widgets/look/theme.h"

#include <QTest>

namespace headroom::testing::map_field_test {

using namespace headroom::app;
using widgets::Theme;

class MapFieldTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { Theme::apply(QStringLiteral("light")); }

    /// They kept the colours of the theme that the model was opened in.
    void theGlyphsOfHeadsFollowTheTheme() {
        Theme::apply(QStringLiteral("light"));
        MapField field;
        field.addItem(QStringLiteral("Contributions"));
        field.addItem(QStringLiteral("Attention head 1"));
        field.setKind(1, HeadKind::Full);
        field.show();
        const auto shows = [&](const QColor& colour) {
            const QImage glyph = field.itemIcon(1).pixmap(16, 16).toImage().convertToFormat(QImage::Format_ARGB32);
            for (int y = 0; y < glyph.height(); ++y)
                for (int x = 0; x < glyph.width(); ++x)
                    if (glyph.pixelColor(x, y) == colour)
                        return true;
            return false;
        };
        const QColor light = widgets::colourOf(HeadKind::Full);
        QVERIFY(shows(light));
        Theme::apply(QStringLiteral("dark"));
        QVERIFY(widgets::colourOf(HeadKind::Full) != light);
        QVERIFY(shows(widgets::colourOf(HeadKind::Full)) && !shows(light));
        QVERIFY(field.itemIcon(0).isNull());
    }
};

HEADROOM_TEST(MapFieldTest)

} // namespace headroom::testing::map_field_test

#include "map_field_test.moc"
