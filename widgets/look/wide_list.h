// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractItemView>
#include <QComboBox>
#include <QStyle>

namespace headroom::widgets {

/// Makes the open list of a chooser as wide as its entries. Qt gives it the width of the chooser, which in a narrow panel is less.
/// Call it again when the entries have changed.
inline void widenList(QComboBox& box) {
    QAbstractItemView* list = box.view();
    list->setMinimumWidth(list->sizeHintForColumn(0) + 2 * list->frameWidth() +
                          box.style()->pixelMetric(QStyle::PM_ScrollBarExtent, nullptr, list));
}

} // namespace headroom::widgets
