// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/look/sizes.h"

#include <QStyle>
#include <QTableView>

namespace headroom::widgets {

/// How high a table is that shows its head, so many rows, and a scroll bar under them.
inline int heightOfRows(const QTableView& table, int rows) {
    return Sizes::tableHeader() + rows * Sizes::tableRow() + table.style()->pixelMetric(QStyle::PM_ScrollBarExtent, nullptr, &table) + 2 * table.frameWidth();
}

} // namespace headroom::widgets
