// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/alignment/text_grid.h"
#include "core/matrix/matrix.h"
#include "core/time/clocks.h"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

// How a layer mixes its tokens, measured in several ways: their names, formulas and papers, and what is computed
// from their maps. The maps come from models/mixing. Rows are queries and sum to 1. Pure; safe on every thread.

enum class Mixing {
    Attention,     ///< α: the mean of the heads' maps, as applied
    AttentionNorm, ///< ‖Σ_h α^h_ij f^h(x_j)‖₂ (Kobayashi et al. 2020)
    Contributions, ///< ‖T_i(x_j)‖₂ with the residual (and the LayerNorm behind; Kobayashi et al. 2021)
    Alti,          ///< max(0, ‖y_i‖₁ − ‖y_i − T_i(x_j)‖₁) (Ferrando et al. 2022)
    ValueZeroing,  ///< 1 − cos(y_i, y_i without the values of j), y behind the layer (Mohebbi et al. 2023)
};

/// One measure, of one layer or, with rollout, of all layers from 1 to that one. A value.
struct MixingMeasure {
    Mixing kind = Mixing::Attention;
    bool rollout = false;
    bool operator==(const MixingMeasure&) const = default;
};

/// What a measure is called and where it comes from.
struct MixingFacts {
    Mixing kind;
    std::string_view name;    ///< in files, on the command line: "value-zeroing"
    std::string_view title;   ///< on screen: "Value zeroing"
    std::string_view symbol;  ///< a short one for a scale: "Z"
    std::string_view formula; ///< one line
    std::string_view paper;   ///< "Mohebbi et al. 2023"
    /// The residual is part of it. Rollout takes the map as it is; otherwise it takes ½ (A + I).
    bool hasResidual;
};
/// All measures, in the order in which they are shown.
std::span<const MixingFacts> mixingFacts();
const MixingFacts& factsOf(Mixing kind);

/// "alti", "rollout-alti": the name in files and on the command line.
std::string nameOf(const MixingMeasure& measure);
/// Throws Error "mixing.unknown", naming all measures, for another name.
MixingMeasure mixingMeasure(std::string_view name);
/// Names separated by commas; a name that occurs twice counts once. Throws like mixingMeasure, also for an empty
/// list.
std::vector<MixingMeasure> mixingMeasures(std::string_view names);
/// The formula and the paper, for a tooltip and the help: "Z_ij = … (Mohebbi et al. 2023)". Two of them for a
/// rollout.
std::string explained(const MixingMeasure& measure);

/// Neighbouring tokens that are looked at as one: first … end − 1.
struct TokenUnit {
    std::int64_t first = 0, end = 0;
    std::string label; ///< of the phone or word; empty: silence, or no unit there
};
/// The units of N tokens: tokens whose centres lie in the same interval, and runs of tokens outside all
/// intervals. Every token is in exactly one unit. `intervals` are ordered and do not overlap; an interval
/// includes its start but not its end, and one without a token has no unit.
std::vector<TokenUnit> tokenUnits(std::span<const Interval> intervals, const TokenClock& clock,
                                  std::int64_t tokens);
/// Each token alone.
std::vector<TokenUnit> singleTokens(std::int64_t tokens);

/// The value of a unit as a query from those of its tokens.
enum class UnitPooling { Mean, Maximum };

/// A map of tokens as a map of units: M_UV is the mean (or maximum) over i ∈ U of Σ_{j ∈ V} map_ij. Rows are made
/// to sum to 1 again after a maximum. Throws std::invalid_argument if the units do not lie inside the map.
Matrix<float> pooledByUnits(MatrixView<const float> map, std::span<const TokenUnit> units, UnitPooling pooling);
/// A map of units, drawn over their tokens: every token of a unit has the unit's row, and the share of a unit is spread
/// evenly over its tokens, so that row sums stay. [N, N]. Throws std::invalid_argument if `map` is not [units, units] or
/// the units do not cover the tokens 0 … N − 1 in order.
Matrix<float> spreadOverTokens(MatrixView<const float> map, std::span<const TokenUnit> units);

/// ρ of two maps: Spearman's rank correlation of each query's row, mean over the queries that have one. [M][M] for
/// M maps of one size; rows and columns of empty maps are NaN.
std::vector<std::vector<double>> rankCorrelations(const std::vector<Matrix<float>>& maps);
/// Says how many utterances of a study have CCD but no ρ, and why, for captions with n; empty if none. `ccd`: [L, M, U]; `rho`:
/// [L, M, M, U], as a study of mixing writes them.
std::string withoutRanksText(std::span<const double> ccd, std::span<const double> rho, std::size_t measures, std::size_t utterances);

/// What is asked of a pass.
struct MixingOptions {
    std::vector<MixingMeasure> measures; ///< empty: none
    /// The units of so many tokens, covering each token once; empty: tokens.
    std::function<std::vector<TokenUnit>(std::int64_t tokens)> units;
    UnitPooling pooling = UnitPooling::Mean;
    bool spread = false; ///< the maps are of tokens again: spreadOverTokens()
};

/// The map of one measure: [N, N], or [units, units]; of cross-attention [targets, N]. Where a layer has none, `reason` says why in one sentence
/// and the map is empty.
struct MixingMap {
    MixingMeasure measure;
    Matrix<float> map;
    std::string reason;
    double seconds = 0; ///< that computing it took; of a rollout, in all layers
};

} // namespace headroom
