// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/arrow/flat_table.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace headroom {

/// The number by which messages of version 5 state it.
inline constexpr std::int64_t kArrowVersion5 = 4;

/// The form in which the values of a column lie in their buffers.
struct ArrowForm {
    enum class Kind { Integer, Real, Truth, Text, View, Unread };
    Kind kind = Kind::Unread;
    int bytes = 0; ///< of a number, or of an offset into texts
    bool isSigned = true;
};

/// Where a column finds its facts in a batch.
struct ArrowPlace {
    std::size_t node = 0;   ///< number of its length
    std::size_t buffer = 0; ///< of its first buffer, without those of views before it
    std::size_t views = 0;  ///< columns of views before it
};

/// A column of values, at the end of the tree of fields.
struct ArrowLeaf {
    std::string name; ///< names from the top, joined by dots
    ArrowForm form;   ///< of the values, or of their numbers in a dictionary
    ArrowPlace place;
    std::vector<ArrowPlace> structs; ///< that it lies in
    std::optional<std::int64_t> dictionary;
    ArrowForm ofDictionary; ///< the values of the dictionary
};

/// Returns the leaves of a schema in their order. Throws Error "arrow.damaged", "arrow.unread" (big-endian).
/// `version`: the number of the format's metadata version that the message states.
std::vector<ArrowLeaf> arrowLeaves(const FlatTable& schema, std::int64_t version);

} // namespace headroom
