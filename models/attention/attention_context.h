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

/// A group's map as later layers reuse it.
struct KeptMap {
    AttentionMap map;
    at::Tensor hidden; ///< keys that a query cannot see, bool, broadcastable to the weights; may be undefined
};

/// What the attention blocks of one pass through a network share: which keys are padding, masks and tables of
/// positions, each made once; the maps that later layers reuse; the fuzzy draws. One for the encoder's
/// layers, one for a decoder's own heads, one for its cross-attention: a "layer type" of Lohrenz et al. 2022.
/// Lives as long as the pass; one thread.
class AttentionContext {
public:
    struct Options {
        bool training = false; ///< relaxation acts; at inference only where it is `matched` or `fuzzy`
        /// γ/T over all keys of the padded batch, padding too, as the released code of relaxed attention
        /// does: for comparison.
        bool relaxesPadding = false;
        /// Convolutions of ConvAttention read padded tokens, as the released Multiformer does: for
        /// comparison.
        bool convReadsPadding = false;
        std::vector<double>* drawn = nullptr; ///< every fuzzy γ is appended here too; outlives the context
        double* seconds =
            nullptr; ///< what each self-attention block took is added here; outlives the context
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
    /// Later keys for `queries` queries at the end of `keys` keys, bool [query, key]; undefined where a query
    /// sees all. Padding stands behind a recording's own tokens: its queries never see it.
    const at::Tensor& hiddenFuture(std::int64_t queries, std::int64_t keys);
    /// Slots of a band (banded.h) without a key, bool [batch or 1, 1, query, 2 · reach + 1].
    const at::Tensor& hiddenSlots(std::int64_t reach);
    /// The same in the band of blocks of `size` tokens, and slots in no neighbouring block.
    const at::Tensor& hiddenBlockSlots(std::int64_t size);
    /// Sinusoids of the offsets i − j = reach … −reach, [2 · reach + 1, width], in double where `like` is,
    /// else in float.
    const at::Tensor& relativeTable(std::int64_t reach, std::int64_t width, const at::Tensor& like);
    /// cos and sin of rotary positions from `first` on, [2, token, width], in double where `like` is, else in
    /// float.
    const at::Tensor& rotaryTable(std::int64_t first, std::int64_t count, std::int64_t width,
                                  const at::Tensor& like);

    /// Whose masks say over which keys γ/T is spread: this one's, or those of a batch without padding.
    AttentionContext& relaxedKeys();
    /// γ of this pass for a group: 0 where nothing is relaxed; its draw where it is fuzzy, the same for every
    /// layer.
    double relaxation(const HeadGroup& group);
    const std::vector<FuzzyDraw>& draws() const;

    /// The maps of a layer's groups before relaxation and dropout, for the layers that reuse them. They share
    /// the graph: gradients of all users flow into the one query and key.
    void keep(int layer, std::vector<KeptMap> maps);
    const std::vector<KeptMap>& kept(int layer) const;
    void release(int layer);

private:
    struct Implementation;
    std::unique_ptr<Implementation> m;
};

} // namespace headroom::models
