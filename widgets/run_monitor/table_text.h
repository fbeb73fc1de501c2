// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QTableView;

namespace headroom::widgets {

/// The role under which the models of this folder keep the number behind a text: sorting and copying.
inline constexpr int kRawRole = 0x0101; // Qt::UserRole + 1

/// The selected rows of a table (all, where none is) as tab-separated text with heads, numbers in full
/// precision; columns without a head or hidden are left out. What Ctrl+C copies.
QString tableText(const QTableView& table);

/// The house's look on a table: row height, header, no grid, whole rows selected.
void styleTable(QTableView& table, int rowHeight);

} // namespace headroom::widgets
