// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/benchmarks/benchmark.h"

#include <filesystem>
#include <functional>

namespace headroom::benchmarks {

/// Searches on two threads, each in turn with its peer in `python` (peer_decoding.py); without such a Python, a row says so:
/// - s2t-small with random weights, 8 recordings of 8 s, beam 5, 60 tokens, beside Hugging Face's generate;
/// - CTC prefix beam search over made posteriors, beside pyctcdecode and flashlight-text (one thread, as theirs).
///
/// `quick`: short texts and one layer.
void benchmarkDecoding(bool quick, const std::filesystem::path& python,
                       const std::function<void(const BenchmarkRow&)>& report);

/// What two threads of the loader prepare, without a cache, of WAV files, FLAC files and segments of an hour, beside what the
/// demo recipe trains on in the same time. Writes sounds into the temporary folder and removes them.
void benchmarkLoading(bool quick, const std::function<void(const BenchmarkRow&)>& report);

} // namespace headroom::benchmarks
