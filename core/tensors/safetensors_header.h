// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensors/tensor.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

/// One tensor in the header. Validated: the product of its shape, and that its range has exactly this size.
struct SafetensorsEntry {
    std::string name;
    DType dtype = DType::F32;
    std::vector<std::int64_t> shape;
    std::uint64_t begin = 0, end = 0; ///< bytes after the header
};

struct SafetensorsHeader {
    std::vector<SafetensorsEntry> entries; ///< in data order
    std::map<std::string, std::string> metadata;
};

/// Parses the JSON header without building a document, so that deep nesting and duplicate names are rejected
/// at once. Entries are checked individually and against each other (overlap, hole), but not against the file
/// size. `name` is used in messages. Throws Error "tensors.badHeader", "tensors.badType", "tensors.badShape",
/// "tensors.overlap".
SafetensorsHeader parseSafetensorsHeader(std::string_view json, const std::string& name);

/// Returns "F32", "BF16" …, as in the format.
std::string safetensorsTypeName(DType type);

} // namespace headroom
