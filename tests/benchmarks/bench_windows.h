// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/benchmarks/benchmark.h"

namespace headroom::benchmarks {

/// A study of windows over utterances as long as those of the paper (N 166 in the mean, the longest 1052)
/// beside the bare passes of its encoder; with twice the threads; its memory; opening one of 1,000
/// utterances. On usedDevice(). `quick`: 12 utterances, the longest 300, to try it out.
void benchmarkWindows(bool quick, const RowFilter& wanted, const RowSink& tell);

} // namespace headroom::benchmarks
