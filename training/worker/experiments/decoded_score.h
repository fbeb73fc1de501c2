// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/worker/score_command.h"

#include <filesystem>
#include <string>

namespace headroom::training {

/// The texts of a finished decoding: references.txt and hypotheses.txt of its folder. Throws Error "experiment.decoded".
ScoredText decodedText(const std::filesystem::path& folder, const std::string& name);

/// A metric of metricNames() of the texts, in per cent or points; NaN if it is not defined. Throws Error "experiment.value"
/// for another name.
double decodedScore(const ScoredText& text, const std::string& metric);

/// Whether less is better: rates of errors.
bool isErrorMetric(const std::string& metric);

} // namespace headroom::training
