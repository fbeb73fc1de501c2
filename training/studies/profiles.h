// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/distance_pairs.h"
#include "training/studies/study_work.h"

#include <cstdint>

namespace headroom::training {

/// The map used by the kinds `windows` and `diagonality`.
enum class ProfileSource {
    Contributions, ///< Alastruey et al. 2022
    Attention,     ///< the mean of the heads' maps; for imported maps, which may have nothing else
};
/// Resolves "contributions", "attention", and "auto" by what the study's models have.
ProfileSource profileSource(const std::string& setting, const Study& study);
const char* toText(ProfileSource source);

/// The strongest pair of tokens that are at least `distance` tokens apart.
struct FarPair {
    std::int64_t distance = 0, query = 0, key = 0;
    double value = 0;
};

/// The measurement of one utterance: the diagonal profile of every layer, a sufficient statistic, and the
/// strongest pairs at increasing distances.
struct UtteranceProfiles {
    std::vector<DiagonalProfile> layers; ///< empty if a layer has no such map
    std::vector<std::vector<FarPair>> far;
    std::vector<std::string> reasons; ///< why a layer has none; otherwise empty
};

/// Returns the strongest pair with |i − j| ≥ d for every d at which it changes: ascending in `distance`,
/// descending in value. O(N²).
std::vector<FarPair> farPairs(MatrixView<const float> map);
/// The same from the strongest pair of each distance; O(N).
std::vector<FarPair> farPairs(const std::vector<DistancePair>& strongest);
/// Returns the strongest pair outside a window of w tokens; null if all pairs are inside.
const FarPair* strongestOutside(const std::vector<FarPair>& pairs, std::int64_t window);

/// Measures and returns named arrays: `profile` f64 [L, 2N − 1], `far` f64 [P, 5] (layer, distance, query,
/// key, value), `reason.l` u8.
Measurement measureProfiles(LayerSource& source, const StudyInput& input, ProfileSource which,
                            const models::CancelFlag& cancel);
/// Empty lists if the utterance failed.
UtteranceProfiles readProfiles(const Measurement& measurement, int layers);
/// Returns one sentence for each reason, with its layers of this model; `instead` says what is shown for
/// them.
std::vector<std::string> reasonNotes(const StudyModel& model,
                                     const std::vector<UtteranceProfiles>& utterances,
                                     const std::string& instead);

/// D(w) of every layer over odd w = 1, 3 … up to the longest utterance: mean and population std over the
/// utterances.
struct DiagonalityCurves {
    std::vector<std::int64_t> windows;                ///< [W]
    std::vector<std::vector<double>> mean, deviation; ///< [L][W]
};
DiagonalityCurves diagonalityCurves(const std::vector<UtteranceProfiles>& utterances, int layers);
/// The arrays `m.window_grid`, `m.diagonality`, `m.diagonality_std`.
void storeCurves(const DiagonalityCurves& curves, const std::string& model, StudyArrays& arrays);

} // namespace headroom::training
