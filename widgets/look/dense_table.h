// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHeaderView>
#include <QStyle>
#include <QTableView>

namespace headroom::widgets {

/// Units on either side of a cell, as in the style sheet.
constexpr double kCellPadding = 0.75, kDenseCellPadding = 0.125;

/// Whether a table has the narrow padding that the style sheet gives to many columns.
inline bool isDense(const QTableView& table) {
    return table.property("dense").toBool();
}

inline void setDense(QTableView& table, bool dense) {
    if (dense == isDense(table))
        return;
    for (QWidget* widget : {static_cast<QWidget*>(&table), static_cast<QWidget*>(table.horizontalHeader())}) {
        widget->setProperty("dense", dense);
        widget->style()->unpolish(widget);
        widget->style()->polish(widget);
    }
}

} // namespace headroom::widgets
