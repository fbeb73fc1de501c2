// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/benchmarks/benchmark.h"

#include <functional>

namespace headroom::benchmarks {

/// Value zeroing of words through layers of wav2vec2-base's size (width 768, feed-forward 3072, 12 heads, GELU;
/// random weights) on 10 s, 500 tokens, against the plain way, a whole layer for every word with its own value vectors
/// set to zero (ATen's fused attention), two threads, one run of each. 12 layers and 30 words; quick: 2 layers. The
/// note has the largest difference of the two.
void benchmarkMixing(bool quick, const std::function<void(const BenchmarkRow&)>& report);

} // namespace headroom::benchmarks
