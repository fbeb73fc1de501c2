// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

/// A column of a file whose rows have named columns.
struct TableColumn {
    std::string name;             ///< names from the top, joined by dots
    bool isRead = true;           ///< false: a list, a union, or a type that its reader does not know
    std::int64_t packedBytes = 0; ///< of its values in this file
};

/// A value, valid until the next row: bytes as they are, numbers and truths as text. nullopt: there is none.
using TableValue = std::optional<std::string_view>;

/// Called with the values of the columns that were asked for, in their order, row by row from 0.
using TableRow = std::function<void(std::int64_t index, const std::vector<TableValue>& values)>;

} // namespace headroom
