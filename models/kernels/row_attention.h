// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/kernels/packed_matrix.h"

#include <cstdint>
#include <vector>

namespace headroom::models {

/// Rows of queries, one token each, [row, head · headWidth], unscaled; `out` alike. The weights are
/// softmax(q kᵀ / √headWidth).
struct QueryRows {
    const float* queries;
    std::int64_t stride, rows, heads, headWidth;
    float* out;
    std::int64_t outStride;
};

/// Keys and values that rows were fed token by token. Where rows move, nothing is copied: a table says which row of a
/// step was the ancestor of a row.
struct FedTokens {
    const float* const* steps;           ///< [step] → [row of that step, key then value, width]
    const std::int32_t* const* ancestor; ///< [step] → [row] → row of that step
    std::int64_t count;                  ///< steps, at least 1
    const std::int64_t* first =
        nullptr; ///< [head] → the first step that it sees, below `count`; null: all see every step
};
/// Attends to the tokens that each row was fed. On the threads of at::parallel_for.
void attendFed(const QueryRows& rows, const FedTokens& tokens);

/// Keys and values of one recording, which many rows read: for each head keys [token, headWidth] and values turned
/// round, [headWidth, token].
struct HeardTokens {
    std::vector<PackedMatrix> keys, values;
    /// `keys`, `values` [token, heads · headWidth].
    HeardTokens(const float* keys, const float* values, std::int64_t tokens, std::int64_t heads,
                std::int64_t headWidth);
};
/// Row r attends to recording `recordings[r]`. Neighbouring rows of one recording share each load of its keys. On the
/// threads of at::parallel_for. A recording without a token gives zeros.
void attendHeard(const QueryRows& rows, const std::vector<HeardTokens>& heard,
                 const std::vector<std::int64_t>& recordings);

} // namespace headroom::models
