// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"
#include "models/contributions/layer_analysis.h"

#include <cstdint>
#include <string>

namespace headroom::models {

/// Returns the peak memory in bytes, beyond the weights, of analysing a recording of `frames` frames: the
/// largest of front end, feed-forward and attention of one layer, with that layer's results. An upper
/// estimate, tested against measurement.
std::int64_t analysisBytes(const Architecture& architecture, std::int64_t frames,
                           const AnalysisOptions& options);

/// The same for analysing the decoder at `targets` targets, after an encoder with `tokens` tokens.
std::int64_t decoderAnalysisBytes(const Architecture& architecture, std::int64_t tokens, std::int64_t targets,
                                  const AnalysisOptions& options);

/// Returns MemAvailable of /proc/meminfo in bytes; −1 if unknown.
std::int64_t freeMemory();
/// The same of the device that networks compute on (models/layers/device.h).
std::int64_t freeMemoryToCompute();

/// Returns what is said before an analysis that takes 1 GB or more: "Analysing 600.000 s takes 3.10 GB of
/// memory; 21.00 GB is free."; empty for a smaller one, and if it is not known what is free.
std::string memorySentence(std::int64_t needed, std::int64_t available, double seconds);
/// Throws Error "model.memory" (values needed, free) if `needed` exceeds `available`; −1 is never exceeded.
void refuseWhatDoesNotFit(std::int64_t needed, std::int64_t available, double seconds);

/// "1.25 GB", decimal.
std::string bytesText(std::int64_t bytes);

} // namespace headroom::models
