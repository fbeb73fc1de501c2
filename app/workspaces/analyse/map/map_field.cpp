// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/map/map_field.h"

#include "widgets/layer_editor/head_chip.h"
#include "widgets/look/icons.h"

#include <QEvent>
#include <QStyleOptionComboBox>

namespace headroom::app {

namespace {
constexpr int kKindRole = MapField::kShortNameRole + 1;
}

void MapField::setKind(int row, HeadKind kind) {
    setItemData(row, int(kind), kKindRole);
    paintGlyph(row);
}

void MapField::paintGlyph(int row) {
    if (const QVariant value = itemData(row, kKindRole); value.isValid()) {
        const auto kind = static_cast<HeadKind>(value.toInt());
        setItemIcon(row, widgets::icon(widgets::glyphOf(kind), widgets::colourOf(kind)));
    }
}

/// An icon of a given colour keeps it in another theme.
void MapField::changeEvent(QEvent* event) {
    QComboBox::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        for (int row = 0; row < count(); ++row)
            paintGlyph(row);
}

QString MapField::shownText() const {
    QStyleOptionComboBox option;
    initStyleOption(&option);
    return option.currentText;
}

} // namespace headroom::app
