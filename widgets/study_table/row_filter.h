// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/studies/table.h"

#include <QString>
#include <QStringList>

#include <utility>
#include <vector>

namespace headroom::widgets {

/// Which rows of a table are named by what somebody types: "6" layer 6, "6 4" its head 4, "head 4", "layer 6 local". Numbers are whole ones
/// and name a row; those that were measured are not searched. Other words occur in the row's texts, in any order and case. A value;
/// it holds for the table that it was made for.
class RowFilter {
public:
    RowFilter() = default; ///< every row
    RowFilter(const QString& words, const StudyTable& table);
    bool accepts(const std::vector<StudyCell>& row) const;

    /// The columns that name the rows of a table, and so are searched: the layer first, then those of texts.
    static std::vector<std::size_t> searchedColumns(const StudyTable& table);

private:
    std::vector<std::size_t> m_texts;                      ///< columns
    std::vector<std::pair<std::size_t, double>> m_numbers; ///< column and what it has to be
    QStringList m_parts;                                   ///< in the texts
    bool m_isImpossible = false;                           ///< two numbers for one column
};

} // namespace headroom::widgets
