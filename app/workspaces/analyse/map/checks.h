// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/items/analysis.h"
#include "app/documents/items/open_model.h"
#include "app/parts/checks_panel.h"

#include <optional>

namespace headroom::app {

// What a check still calls right: the tolerances of the oracles that the tests hold the worker to.
inline constexpr double kRowSumTolerance = 1e-5;
inline constexpr double kRebuildTolerance = 1e-4;
inline constexpr double kGramTolerance = 1e-5;

/// What was verified about one layer of one result, with the numbers the worker measured on this very
/// picture; of which model's window it is; and what the reader found in the alignment. Each may be null. Pure.
QList<Check> checksOf(const OpenUtterance* utterance, const LayerResult* layer, const OpenModel* model = nullptr,
                      const AnalysisResult* result = nullptr);

/// How much was analysed; nothing without a result.
std::optional<Seconds> analysedLength(const OpenUtterance* utterance, const AnalysisResult* result);

/// Of a model that always computes a fixed window: how much of it is the recording. Nothing for others. `analysed`: nothing, not yet.
std::optional<Check> windowCheck(const OpenModel* model, std::optional<Seconds> analysed);

/// One number that the worker measured about a block. `number`: nothing, not yet; not finite: nothing to measure, and
/// `reason` says why if it is known. `toolTip`: what is measured. Pure.
Check measuredCheck(const QString& name, std::optional<double> number, const QString& reason, double tolerance,
                    const QString& toolTip);

} // namespace headroom::app
