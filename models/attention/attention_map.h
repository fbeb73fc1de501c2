// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/head_groups.h"

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace headroom::models {

/// Attention weights of one head group, in the layout the kernel produced: dense, banded or compressed. Rows
/// sum to 1 over the visible keys.
struct AttentionMap {
    enum class Form {
        Dense, ///< [batch, head, query, key]
        Band,  ///< [batch, head, query, 2 · reach + 1]; slot s is key query − reach + s, 0 if there is no
                ///< such key
        Compressed ///< [batch, head, query, compressedKey], over keys that a convolution shortened
    };
    Form form = Form::Dense;
    at::Tensor weights;
    std::int64_t reach = 0; ///< Band
};

} // namespace headroom::models
