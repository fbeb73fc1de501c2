// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/map/map_field.h"

#include "app/parts/actions.h"
#include "app/parts/panel_header.h"
#include "app/workspaces/analyse/map/matrix_panel.h"
#include "app/workspaces/analyse/map/window_spin.h"
#include "tests/support/runner.h"
#include "widgets/layer_editor/head_chip.h"
#include "widgets/look/theme.h"

#include <QAction>
#include <QCheckBox>
#include <QSlider>
#include <QTest>
#include <QUndoStack>

#include <algorithm>

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

    /// "21" stood alone in the bar over the map, between the fields of the map and of its colours.
    void theWindowsFieldIsNotThereWithoutItsName() {
        QUndoStack undo;
        const Actions actions(&undo, nullptr);
        widgets::TimeAxis axis;
        QWidget window;
        MatrixPanel panel(&axis, actions, &window); // a window of its own would keep to its least width
        panel.setLayer(7, 12);
        window.show();
        const auto boxes = panel.findChildren<QCheckBox*>();
        const auto box = std::ranges::find(boxes, actions.showWindow->text(), &QCheckBox::text);
        QVERIFY(box != boxes.end());
        QList<int> narrowest; // with the field
        for (const int tokens : {9, 21}) {
            HeadGroup heads;
            heads.count = 4;
            heads.kind = HeadKind::Local;
            heads.window = tokens;
            panel.setHeads({heads}, true);
            narrowest << 0;
            for (int width = 1100; width >= panel.header()->minimumSizeHint().width(); width -= 2) {
                panel.resize(width, 400);
                QCoreApplication::processEvents();
                QVERIFY2(panel.windowField()->isVisible() == (*box)->isVisible(), qPrintable(QString::number(width)));
                if (panel.windowField()->isVisible())
                    narrowest.last() = width;
            }
            QVERIFY(narrowest.last() > panel.header()->minimumSizeHint().width() + 2);
        }
        QCOMPARE(narrowest[0], narrowest[1]); // whatever the names of the heads are
    }

    /// The field went with “Layer 10” and came back with “Layer 9”, beside a slider that would have given the room.
    void theWindowsFieldIsThereInEveryLayerOrInNone() {
        QUndoStack undo;
        const Actions actions(&undo, nullptr);
        widgets::TimeAxis axis;
        QWidget window;
        MatrixPanel panel(&axis, actions, &window);
        window.show();
        panel.setHeads(std::vector<HeadGroup>(1), true);
        const auto* gamma = panel.findChild<QSlider*>();
        QList<int> narrowest;
        for (const int layer : {1, 9, 10, 12}) {
            panel.setLayer(layer, 12);
            narrowest << 0;
            for (int width = 1100; width >= panel.header()->minimumSizeHint().width(); width -= 2) {
                panel.resize(width, 400);
                QCoreApplication::processEvents();
                if (!panel.windowField()->isVisible())
                    break;
                narrowest.last() = width;
            }
            panel.resize(narrowest.last(), 400);
            QCoreApplication::processEvents();
            QVERIFY(gamma->width() < gamma->sizeHint().width());
        }
        QCOMPARE(narrowest, QList<int>(4, narrowest.first()));
    }
};

HEADROOM_TEST(MapFieldTest)

} // namespace headroom::testing::map_field_test

#include "map_field_test.moc"
