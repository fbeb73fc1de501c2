// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/mixing.h"
#include "models/contributions/cancel.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace headroom::models {

class LayerMixing;
class MeasuredBlock;

/// The measures of mixing of a decoder's layers in one pass. Layers come in order, self-attention before
/// cross-attention. One pass, one thread.
///
/// - Self-attention: [target, target]. There is no rollout of it alone, because the sound enters between its layers.
/// - Cross-attention: [target, token], how the sound's part is shared over the tokens: rows sum to 1, without the
///   residual. Value zeroing zeroes the value of a token of the recording and computes the layer again.
/// - Rollout of cross-attention (after ALTI+, Ferrando et al. 2022b): what of the sound, through all layers of decoder and
///   encoder, is in the output of this layer's cross-attention:
///
///       R_l = C_l E + r_l ∘ (S_l R_{l−1}),   R_0 = 0
///
///   C_l: the map of tokens, with Σ_j C_ij + r_i = 1; S_l: of self-attention, as in the encoder's rollout; E: the
///   encoder's rollout. r: the share of the residual; ½ where the measure has none. Written with rows that sum to 1:
///   the rest of R_l is the text's. Value zeroing has no such share, so it has no rollout here.
/// - Units are not for the decoder: its maps are of tokens.
class DecoderMixing {
public:
    /// `ownTokens`: of the recording, the first of those that the decoder reads; 0: all. `encoder`: after the last layer,
    /// with the rollouts of `options`; null without a rollout.
    DecoderMixing(const MixingOptions& options, std::int64_t ownTokens, const LayerMixing* encoder);
    ~DecoderMixing();
    DecoderMixing(const DecoderMixing&) = delete;
    DecoderMixing& operator=(const DecoderMixing&) = delete;

    /// As LayerMixing::ofLayer.
    std::vector<MixingMap> ofSelf(MeasuredBlock& block, int layer, bool wanted, const CancelFlag* cancel = nullptr);
    std::vector<MixingMap> ofCross(MeasuredBlock& block, int layer, bool wanted, const CancelFlag* cancel = nullptr);

private:
    struct Implementation;
    std::unique_ptr<Implementation> m;
};

} // namespace headroom::models
