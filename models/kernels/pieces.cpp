// SPDX-License-Identifier: GPL-3.0-or-later
// Compiled with -O3 -fopenmp (models/CMakeLists.txt): at::parallel_for is OpenMP from its header.
#include "models/kernels/pieces.h"

#include <ATen/Parallel.h>
#include <c10/core/GradMode.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>

#ifndef _OPENMP
#error "Without -fopenmp at::parallel_for runs on one thread"
#endif

namespace headroom::models {

void inPieces(std::int64_t rows, const std::function<void(std::int64_t, std::int64_t)>& work) {
    const std::int64_t pieces =
        2 * ((rows + 2 * kRowsAtOnce - 1) / (2 * kRowsAtOnce)); // even: two threads have as many
    const std::int64_t each = (rows + pieces - 1) / std::max<std::int64_t>(pieces, 1);
    const bool inference = c10::InferenceMode::is_enabled(),
               grad = c10::GradMode::is_enabled(); // of the caller's thread
    at::parallel_for(0, pieces, 1, [&](std::int64_t begin, std::int64_t end) {
        const c10::InferenceMode mode(inference);
        const c10::AutoGradMode gradMode(grad);
        for (std::int64_t first = begin * each; first < std::min(end * each, rows); first += each)
            work(first, std::min(each, rows - first));
    });
}

void onThreads(std::int64_t count, std::int64_t least,
               const std::function<void(std::int64_t, std::int64_t)>& work) {
    at::parallel_for(0, count, least, work);
}

} // namespace headroom::models
