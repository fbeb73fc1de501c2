// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>

namespace headroom::models {

/// Rows of a piece: what is made of them stays in the cache.
inline constexpr std::int64_t kRowsAtOnce = 64;

/// Calls work(first, count) for pieces of the rows 0 … rows − 1, at most kRowsAtOnce each, on torch's
/// threads. A piece is one thread's, with the products that it computes in between, so threads meet once and
/// not in every product. The pieces depend on the number of rows alone, not on the threads. Inference mode
/// and gradients are as on the caller's thread.
void inPieces(std::int64_t rows, const std::function<void(std::int64_t first, std::int64_t count)>& work);

/// at::parallel_for over 0 … count − 1, for sources without -fopenmp: there at::parallel_for itself runs on
/// one thread. Ranges of fewer than `least` are not divided.
void onThreads(std::int64_t count, std::int64_t least,
               const std::function<void(std::int64_t begin, std::int64_t end)>& work);

} // namespace headroom::models
