// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/studies/study_work.h"

#include <cstdint>

namespace headroom::training {

/// Which map the kinds `windows` and `diagonality` look at.
enum class ProfileSource {
    Contributions, ///< Alastruey et al. 2022
    Attention,     ///< the mean of the heads' maps; for maps from elsewhere, which may have nothing more
};
/// "contributions", "attention", and for "auto" what the study's models have.
ProfileSource profileSource(const std::string& setting, const Study& study);
const char* toText(ProfileSource source);

/// The strongest pair of tokens among those that are at least `distance` tokens apart.
struct FarPair {
    std::int64_t distance = 0, query = 0, key = 0;
    double value = 0;
};

/// What one utterance gives: the diagonal profile of every layer, a sufficient statistic (design.md §3), and
/// behind it the strongest pairs at growing distances.
struct UtteranceProfiles {
    std::vector<DiagonalProfile> layers; ///< empty where a layer has no such map
    std::vector<std::vector<FarPair>> far;
    std::vector<std::string> reasons; ///< why a layer has none; empty where it has
};

/// The strongest pair with |i − j| ≥ d, for every d at which it changes: ascending in `distance`, descending
/// in value. O(N²).
std::vector<FarPair> farPairs(MatrixView<const float> map);
/// The strongest outside a window of w tokens; nothing where all pairs are inside.
const FarPair* strongestOutside(const std::vector<FarPair>& pairs, std::int64_t window);

/// Measures, and stores as named arrays: `profile` f64 [L, 2N − 1], `far` f64 [P, 5] (layer, distance, query,
/// key, value), `reason.l` u8.
Measurement measureProfiles(LayerSource& source, const StudyInput& input, ProfileSource which,
                            const models::CancelFlag& cancel);
/// Empty lists where the utterance failed.
UtteranceProfiles readProfiles(const Measurement& measurement, int layers);
/// One sentence for each reason, naming its layers of this model; `instead` says what is shown for them.
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
