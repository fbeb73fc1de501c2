// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/benchmarks/benchmark.h"

#include <vector>

namespace headroom::benchmarks {

/// LogMelFilterbank beside one FFT per frame through FFTW (how kaldi-native-fbank does it), on the same five
/// minutes of generated sound, one thread, median of five. Links headroom_core_features and fftw3f. Takes a
/// few seconds.
std::vector<BenchmarkRow> benchmarkFilterbank();

} // namespace headroom::benchmarks
