// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/head_groups.h"

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace headroom::models {

/// Attention weights of a group of heads in the form in which they were computed. Rows sum to 1 over the keys
/// that a query may see.
struct AttentionMap {
    enum class Form {
        Dense, ///< [batch, head, query, key]
        Band,  ///< [batch, head, query, 2 · reach + 1]; slot s is key query − reach + s, 0 where none is
        Compressed ///< [batch, head, query, compressedKey], over keys that a convolution shortened
    };
    Form form = Form::Dense;
    at::Tensor weights;
    std::int64_t reach = 0; ///< Band
};

} // namespace headroom::models
