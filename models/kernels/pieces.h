// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/Parallel.h>
#include <c10/core/GradMode.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <cstdint>

namespace headroom::models {

/// Rows of a piece: what is made of them stays in the cache.
inline constexpr std::int64_t kRowsAtOnce = 64;

/// Calls work(first, count) for pieces of the rows 0 … rows − 1, at most kRowsAtOnce each, on the threads of
/// at::parallel_for. A piece is one thread's, with the products that it computes in between, so threads meet once and not in
/// every product. The pieces depend on the number of rows alone, not on the threads.
template <class Work>
void inPieces(std::int64_t rows, const Work& work) {
    const std::int64_t pieces = 2 * ((rows + 2 * kRowsAtOnce - 1) / (2 * kRowsAtOnce)); // even: two threads have as many
    const std::int64_t each = (rows + pieces - 1) / std::max<std::int64_t>(pieces, 1);
    const bool inference = c10::InferenceMode::is_enabled(), grad = c10::GradMode::is_enabled(); // of the caller's thread
    at::parallel_for(0, pieces, 1, [&](std::int64_t begin, std::int64_t end) {
        const c10::InferenceMode mode(inference);
        const c10::AutoGradMode gradMode(grad);
        for (std::int64_t first = begin * each; first < std::min(end * each, rows); first += each)
            work(first, std::min(each, rows - first));
    });
}

} // namespace headroom::models
