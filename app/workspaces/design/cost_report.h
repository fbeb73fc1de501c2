// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/costs.h"

#include <QString>

#include <optional>
#include <vector>

namespace headroom::app {

/// The input length that gives so many tokens behind an architecture's front end.
std::int64_t framesForTokens(const Architecture& architecture, std::int64_t tokens);

/// The tokens of an architecture that computes every recording as one window, whatever its length (Whisper's 30 s); `nullopt`
/// for the others and where they cannot be counted.
std::optional<std::int64_t> fixedTokens(const Architecture& architecture);

/// What an architecture costs, as far as it can be counted; where not, `sentence` says why. A value.
struct CostReport {
    std::optional<Costs> parameters;
    std::optional<EncoderCosts> encoder; ///< at the asked length
    QString sentence;                    ///< what cannot be counted; empty: all is
};
CostReport costReport(const Architecture& architecture, std::int64_t tokens);

/// What one part of the network costs: its parameters, and its MACs where the report has them. `name` is that
/// of core, untranslated.
struct PartRow {
    QString name;
    std::int64_t parameters = 0, macs = 0;
    double parameterShare = 0, macShare = 0; ///< of all
};
/// In the order of the network; attention has its projections with it.
std::vector<PartRow> partRows(const CostReport& report);

/// One layer against the same layer of the baseline.
struct LayerShare {
    std::optional<double> macs;      ///< share of the baseline's layer, 1: as many
    std::optional<double> attention; ///< attention's part of it, in the same unit
};
/// One per layer of `architecture`; without values where one of both cannot be counted or the baseline has no
/// such layer.
std::vector<LayerShare> layerShares(const Architecture& architecture, const Architecture& baseline,
                                    std::int64_t tokens);

/// MACs and bytes of kept maps at `steps` + 1 lengths from 0 to `longest` tokens, of a fixed window the same at each one up to
/// its tokens; empty where they cannot be counted.
struct CostCurve {
    std::vector<double> tokens, macs, mapBytes;
};
CostCurve costCurve(const Architecture& architecture, std::int64_t longest, int steps);

/// The MACs that no window can save: everything but attention. Nothing where they cannot be counted.
std::optional<std::int64_t> floorMacs(const Architecture& architecture, std::int64_t tokens);

// Number formats.
QString countText(std::int64_t count);            ///< "30.94 M", "18.5 G", "812"
QString percentChange(double now, double before); ///< "−20.9 %", "+3.0 %", "±0 %", "–"
QString bytesText(std::int64_t bytes);            ///< "20.0 kB", "64.0 MB", "1.2 GB"

// For an axis: divide both curves by the unit in which its numbers are short, and return that unit.
QString scaleCounts(std::vector<double>& now, std::vector<double>& baseline); ///< "M", "G", "T"
QString scaleBytes(std::vector<double>& now, std::vector<double>& baseline);  ///< "kB", "MB", "GB"

} // namespace headroom::app
