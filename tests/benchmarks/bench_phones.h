// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/benchmarks/benchmark.h"

#include <vector>

namespace headroom::benchmarks {

/// PAR of 64 heads beside the bare passes over the same utterances, on one thread; and the clock inside the
/// encoder beside one outside it, with and without. A minute.
std::vector<BenchmarkRow> benchmarkPhones();

} // namespace headroom::benchmarks
