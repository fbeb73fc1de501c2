// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/distance_pairs.h"
#include "core/analysis/mixing.h"
#include "core/matrix/diagonal_profile.h"
#include "core/matrix/matrix.h"
#include "models/contributions/cancel.h"

#include <cstdint>
#include <string>
#include <vector>

namespace headroom::models {

/// The blocks of a decoder's layers.
enum class DecoderBlocks { Both, Self, Cross };

struct AnalysisOptions {
    bool keepContributions = true;
    bool keepAttention = false; ///< per head, as applied, and raw if different
    bool headProfiles = true;   ///< attentionProfiles; otherwise each of them is empty
    int checkedRows = 16;       ///< rows of the materialised double-precision twin per layer (gram_error)
    bool keepStates = false;    ///< the vectors between the encoder's layers
    bool keepOutput = true;     ///< EncoderAnalysis::encoderOutput and ctcIds; otherwise both are empty
    bool strongestPairs = false; ///< LayerAnalysis::strongest
    /// False: only maps, their profiles and states; no contributions, no relevance, NaN for unchecked errors.
    /// Costs little more than the bare pass.
    bool explain = true;
    /// Norm of head relevance: 2 (Sant et al. 2022, Eq. 4), or 1 (their released code). 0: neither relevance
    /// nor rebuildError (NaN), if only contributions are needed.
    int relevanceNorm = 2;
    bool errors = true;        ///< rebuildError and rowSumError; otherwise both are NaN
    bool contributions = true; ///< false: of the explanation only head relevance
    std::uint64_t seed = 1;  ///< seed of the checked rows
    std::vector<int> layers; ///< from 1; empty: all
    MixingOptions mixing;    ///< more measures of mixing; none unless asked
    DecoderBlocks blocks = DecoderBlocks::Both; ///< of a decoder: the analysis of the other block stays empty
};

/// The analysis of one attention block of an encoder or decoder layer. N tokens, H heads; in cross-attention
/// queries are targets and keys are the encoder's tokens. Array names: contracts of `analyse`.
///
/// If a block is not a sum over tokens (Speechformer's compression), `reason` says so in one sentence, C and
/// its profile are empty, and the errors that do not apply are NaN.
struct LayerAnalysis {
    int layer = 0;               ///< from 1
    std::int64_t queries = 0;    ///< N; targets in a decoder
    std::string reason;          ///< why there are no contributions; otherwise empty
    Matrix<float> contributions; ///< [N, N], rows sum to 1; empty unless kept. Cross-attention: [T, N + 1],
                                 ///< the residual in the last column
    DiagonalProfile contributionProfile;            ///< 2N − 1; empty in cross-attention
    std::vector<DistancePair> strongest;            ///< of C, N; empty unless wanted, and in cross-attention
    std::vector<DiagonalProfile> attentionProfiles; ///< per head; empty if the map is not N × N
    Matrix<float> headRelevance;                    ///< [N, H], rows sum to 1
    /// Per head [N, N], as applied; [N, N′] if a convolution shortened the keys. Empty unless kept.
    std::vector<Matrix<float>> attention;
    /// The maps before relaxation; empty for heads that are not relaxed, and an empty list if none is.
    std::vector<Matrix<float>> rawAttention;
    /// [N, d], the output of the layer, before the encoder's last LayerNorm. Empty unless states are kept,
    /// and in a decoder.
    Matrix<float> state;
    std::vector<MixingMap> mixing; ///< of the measures that were asked for, in that order
    /// What of each row of C fell on tokens behind the recording, and on class tokens, [queries], where a model computes a fixed
    /// window; C and the maps are then cut to the recording's own tokens. Otherwise empty.
    std::vector<float> paddingShare;
    float rebuildError = 0; ///< max_i ‖Σ_j T_ij + b_O − the captured output of the attention block‖∞ (O1)
    float gramError = 0;   ///< max over the checked rows of |C_ij − its materialised twin in double|
    float rowSumError = 0; ///< max_i |Σ_j C̃_ij − 1|
};

} // namespace headroom::models
