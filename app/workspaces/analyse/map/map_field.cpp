// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/map/map_field.h"

#include <QAbstractItemView>
#include <QStyle>
#include <QStyleOptionComboBox>

namespace headroom::app {

QString MapField::shownText() const {
    QStyleOptionComboBox option;
    initStyleOption(&option);
    return option.currentText;
}

void MapField::showPopup() {
    QAbstractItemView* list = view();
    // Qt gives the list the width of the field, which in a narrow header is less than that of its words.
    list->setMinimumWidth(list->sizeHintForColumn(0) + 2 * list->frameWidth() +
                          style()->pixelMetric(QStyle::PM_ScrollBarExtent, nullptr, list));
    QComboBox::showPopup();
}

void MapField::initStyleOption(QStyleOptionComboBox* option) const {
    QComboBox::initStyleOption(option);
    const QString shorter = currentData(kShortNameRole).toString();
    if (shorter.isEmpty())
        return;
    int room = style()->subControlRect(QStyle::CC_ComboBox, option, QStyle::SC_ComboBoxEditField, this).width() - 2;
    if (!option->currentIcon.isNull())
        room -= option->iconSize.width() + 4; // what the style leaves behind it
    if (option->fontMetrics.horizontalAdvance(option->currentText) > room)
        option->currentText = shorter;
}

} // namespace headroom::app
