// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/head_grid.h"

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace headroom {

// The texts that a person writes into the heads of a layer: as they are kept, and what is wrong with them by themselves.

/// Returns the text without blanks at its ends, and with one between words.
std::string simplified(std::string_view text);
/// Returns "local 17" of "1 local 17".
std::string withoutCount(const std::string& text);
/// Returns the number that the text begins with, and its length; nullopt: it begins with none.
std::optional<int> leadingNumber(std::string_view text, std::size_t& length);
/// Returns the text of a cell in canonical form; as written where it cannot be read.
std::string canonicalCell(const std::string& text);
/// "2 full + 2 local 14": returns four cells; nullopt if a group has no count. Kinds are not judged.
std::optional<LayerCells> groupsWithCounts(const std::string& text);
/// Returns "13 or 15", or "1, 2 or 3".
std::string either(const std::vector<std::string>& texts);
/// Returns the heads that the cells of a layer say, or what is wrong with their texts.
std::variant<std::vector<HeadGroup>, std::vector<HeadMistake>> readCells(const LayerCells& cells, int layer);

} // namespace headroom
