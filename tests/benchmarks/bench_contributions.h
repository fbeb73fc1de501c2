// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/benchmarks/benchmark.h"

#include <vector>

namespace headroom::benchmarks {

/// Contributions of one layer (N 1052, or 166 if `quick`, d 256, H 4; projections in both) against the materialised float32
/// formulation in ATen, two threads, median of five; and the extra memory of each at its peak.
std::vector<BenchmarkRow> benchmarkContributions(bool quick);

/// Analysis of 15 s with a 12-layer S2T-small of random weights, self-checks included, against its bare
/// forward pass, two threads, in interleaved pairs.
std::vector<BenchmarkRow> benchmarkAnalysis();

} // namespace headroom::benchmarks
