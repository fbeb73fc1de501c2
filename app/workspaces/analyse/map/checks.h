// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/analysis.h"
#include "app/parts/checks_panel.h"

#include <optional>

namespace headroom::app {

// What a check still calls right: the tolerances of the oracles that the tests hold the worker to.
inline constexpr double kRowSumTolerance = 1e-5;
inline constexpr double kRebuildTolerance = 1e-4;
inline constexpr double kGramTolerance = 1e-5;

/// What was verified about one layer of one result, with the numbers the worker measured on this very
/// picture; and what the reader found in the alignment. `utterance` and `layer` may be null. Pure.
QList<Check> checksOf(const OpenUtterance* utterance, const LayerResult* layer);

/// One number that the worker measured about a block. `number`: nothing, not yet; not finite: nothing to measure, and
/// `reason` says why if it is known. `toolTip`: what is measured. Pure.
Check measuredCheck(const QString& name, std::optional<double> number, const QString& reason, double tolerance,
                    const QString& toolTip);

} // namespace headroom::app
