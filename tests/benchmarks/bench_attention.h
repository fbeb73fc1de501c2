// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/benchmarks/benchmark.h"

namespace headroom::benchmarks {

/// Every kind of attention at N 64 to 4096, forward and forward with backward, against full attention by
/// at::scaled_dot_product_attention on the same numbers: time in interleaved pairs, two threads, and tensors'
/// peak memory. Then how local attention grows to N 100,000, and layers that reuse a map (Shim et al. 2022,
/// Table 3) against as many full layers. Minutes: rows are told as they come. On another device than the CPU only
/// localAttentionOnDevice() of bench_on_device.h.
/// `pairs`: at least so many pairs of a row.
void benchmarkAttention(bool quick, int pairs, const RowFilter& wanted, const RowSink& report);

} // namespace headroom::benchmarks
