// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensors/tensor.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

/// One tensor as the header describes it: the product of its shape, and that its range holds just that, are
/// checked.
struct SafetensorsEntry {
    std::string name;
    DType dtype = DType::F32;
    std::vector<std::int64_t> shape;
    std::uint64_t begin = 0, end = 0; ///< bytes after the header
};

struct SafetensorsHeader {
    std::vector<SafetensorsEntry> entries; ///< in the order of the data
    std::map<std::string, std::string> metadata;
};

/// Parses the JSON header without building a document, so that deep nesting and duplicate names are refused
/// as they come. Entries are checked one by one and against each other (overlap, hole), not against the
/// file's size. `name` stands in the sentences. Throws Error "tensors.badHeader", "tensors.badType",
/// "tensors.badShape", "tensors.overlap".
SafetensorsHeader parseSafetensorsHeader(std::string_view json, const std::string& name);

/// "F32", "BF16" … as the format spells them.
std::string safetensorsTypeName(DType type);

} // namespace headroom
