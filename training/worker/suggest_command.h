// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/worker/console.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace CLI {
class App;
}

namespace headroom::training {

/// `suggest`: which windows the layers of a model can take.
struct SuggestOptions {
    std::filesystem::path model, data;
    std::string limit;       ///< "macs=0.5" or "loss=0.1"
    std::string split, task; ///< as StudyOptions
    std::int64_t utterances = 100;
    std::uint64_t seed = 1;
    std::filesystem::path out;   ///< file of the suggested architecture; empty: none
    std::filesystem::path study; ///< folder of the measurement; empty: none is kept
    std::filesystem::path cache; ///< of measurements; empty: the user's
};

/// Declares the command. Options must outlive the parser. A --limit of another form is wrong usage.
CLI::App* declareSuggestArguments(CLI::App& app, SuggestOptions& options);

/// Measures the model's D(w) over a sample (a study of windows), and prints the front of loss and cost: loss
/// is the mean over layers of CL = 1 − D(w) (Alastruey et al. 2022, §4.1), cost the multiply–accumulates of
/// the attention, scores and A·V, over the sample. Marks the point that keeps the limit with the smallest
/// loss (macs), or at the smallest cost (loss), and writes it as an architecture. Throws Error
/// "suggest.limit" for a limit that no windows keep, "suggest.noWindows" for a model without layers that take
/// windows, and the errors of studies.
void suggest(const SuggestOptions& options, Console& console);

} // namespace headroom::training
