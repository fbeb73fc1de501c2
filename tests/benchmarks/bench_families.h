// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/benchmarks/benchmark.h"

#include <filesystem>
#include <functional>

namespace headroom::benchmarks {

/// Encoders of the sizes of wav2vec2-base and whisper-small (random weights, two threads):
/// - the forward pass over 15 s beside Hugging Face transformers (eager, SDPA), which `python` runs in turn with ours
///   (peer_families.py); without such a Python, the row says so;
/// - the analysis of all layers beside our bare forward pass, with the memory of both;
/// - value zeroing of 30 words through all layers of 10 s beside the plain way (a whole layer for every word), and
///   how soon it ends when it is cancelled;
/// - the first map of 5 s from a checkpoint of 1.26 GB that is not open yet.
///
/// A comparison ends after three rounds, or earlier where the next would not fit into 40 s; a row comes as soon as it is
/// measured. `python`: an interpreter. `quick`: two layers, 3 s, a small checkpoint, rounds of 3 s. Writes the checkpoint
/// into the temporary folder and removes it.
void benchmarkFamilies(bool quick, const std::filesystem::path& python,
                       const std::function<void(const BenchmarkRow&)>& report);

} // namespace headroom::benchmarks
