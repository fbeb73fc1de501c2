// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QTableView;

namespace headroom::widgets {

/// The role under which the models of this folder store the number behind a text, for sorting and copying.
inline constexpr int kRawRole = 0x0101; // Qt::UserRole + 1
/// What is copied, where it is neither that number nor the text shown: of a cell one with its unit, of a header one that names the unit.
inline constexpr int kCopyRole = 0x0110;

/// Returns the selected rows of a table (all if none is) as tab-separated text with headers and numbers in
/// full precision, without hidden columns and columns without a header. The text copied by Ctrl+C.
QString tableText(const QTableView& table);

/// Applies Headroom's style to a table: row height, header, no grid, whole rows selected.
void styleTable(QTableView& table, int rowHeight);

} // namespace headroom::widgets
