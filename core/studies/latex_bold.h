// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/studies/table.h"

#include <set>
#include <utility>

namespace headroom {

/// Row and column of cells, from 0.
using TableCells = std::set<std::pair<std::size_t, std::size_t>>;

/// latexText(table) with these cells in bold.
std::string latexText(const StudyTable& table, const TableCells& bold);

} // namespace headroom
