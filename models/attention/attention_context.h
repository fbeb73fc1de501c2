// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/head_groups.h"
#include "models/attention/attention_map.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace headroom::models {

/// One γ that was drawn, N(gamma, sigma²) cut to 0 … 1.
struct FuzzyDraw {
    double gamma = 0, sigma = 0, drawn = 0;
};

/// What the attention blocks of one pass through a network share: which keys are padding, masks and tables of
/// positions, each made once; the maps that later layers reuse; the fuzzy draws. One for the encoder's
/// layers, one for a decoder's own heads, one for its cross-attention: a "layer type" of Lohrenz et al. 2022.
/// Lives as long as the pass; one thread.
class AttentionContext {
public:
    struct Options {
        bool training = false; ///< relaxation acts; at inference only where it is `matched`
        /// γ/T over all keys of the padded batch, padding too, as the released code of relaxed attention
        /// does: for comparison.
        bool relaxesPadding = false;
        /// Convolutions of ConvAttention read padded tokens, as the released Multiformer does: for
        /// comparison.
        bool convReadsPadding = false;
    };
    /// `lengths`: tokens of each recording, none above `tokens`, the keys of the padded batch; empty: all
    /// have `tokens`.
    AttentionContext(std::vector<std::int64_t> lengths, std::int64_t tokens, Options options);
    AttentionContext(std::vector<std::int64_t> lengths, std::int64_t tokens);
    ~AttentionContext();
    AttentionContext(AttentionContext&&) noexcept;
    AttentionContext& operator=(AttentionContext&&) noexcept;

    const std::vector<std::int64_t>& lengths() const; ///< empty where no recording is padded
    std::int64_t tokens() const;
    const Options& options() const;

    /// Padded keys, bool [batch, 1, 1, key]; undefined where none is.
    const at::Tensor& hiddenPadding();
    /// Padded and later keys for `queries` queries at the end of `keys` keys, bool [batch or 1, 1, query,
    /// key]; undefined where a query sees all.
    const at::Tensor& hiddenFuture(std::int64_t queries, std::int64_t keys);
    /// Slots of a band (banded.h) without a key, bool [batch or 1, 1, query, 2 · reach + 1].
    const at::Tensor& hiddenSlots(std::int64_t reach);
    /// Sinusoids of the offsets i − j = reach … −reach, [2 · reach + 1, width], in `like`'s type.
    const at::Tensor& relativePositions(std::int64_t reach, std::int64_t width, const at::Tensor& like);

    /// γ of this pass for a group: 0 where nothing is relaxed; its draw where it is fuzzy, the same for every
    /// layer.
    double relaxation(const HeadGroup& group);
    const std::vector<FuzzyDraw>& draws() const;

    /// The maps of a layer's groups before relaxation and dropout, for the layers that reuse them.
    void keep(int layer, std::vector<AttentionMap> maps);
    const std::vector<AttentionMap>& kept(int layer) const;

private:
    struct Implementation;
    std::unique_ptr<Implementation> m;
};

} // namespace headroom::models
