// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/head_groups.h"
#include "models/attention/attention_map.h"
#include "models/attention/rest_of_layer.h"

#include <c10/core/Device.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace headroom::models {

/// A sample of γ from N(gamma, sigma²), clipped to [0, 1].
struct FuzzyDraw {
    double gamma = 0, sigma = 0, drawn = 0;
};

/// The map of a group, kept for later layers.
struct KeptMap {
    AttentionMap map;
    at::Tensor hidden; ///< keys that a query cannot see, bool, broadcastable to the weights; may be undefined
};

/// State shared by the attention blocks of one pass through a network: padding, masks and position tables
/// (each built once), maps that later layers reuse, and fuzzy samples. One for the encoder's layers, one for
/// a decoder's self-attention, one for its cross-attention: a "layer type" of Lohrenz et al. 2022. Lives as
/// long as the pass. Not thread-safe.
class AttentionContext {
public:
    struct Options {
        bool training = false; ///< relaxation applies; at inference only if `matched` or `fuzzy`
        double relaxation = 1; ///< × γ, with `training`
        /// Spreads γ/T over all keys of the padded batch, as the released code of relaxed attention does; for
        /// comparison.
        bool relaxesPadding = false;
        /// Convolutions of ConvAttention read padded tokens, as in the released Multiformer; for comparison.
        bool convReadsPadding = false;
        std::vector<double>* drawn = nullptr; ///< receives every fuzzy γ; must outlive the context
        /// Observers see the maps of the first so many queries of layers of full heads; the other queries, behind the
        /// recording in a fixed window, go through the fused kernel where they can. 0: all.
        std::int64_t mappedQueries = 0;
        double* seconds =
            nullptr; ///< what each self-attention block took is added here; outlives the context
        c10::Device device = c10::kCPU; ///< of the tensors of the pass: masks and tables are made there
    };
    /// `lengths`: tokens of each recording, at most `tokens`, the keys of the padded batch; empty if all have
    /// `tokens`.
    AttentionContext(std::vector<std::int64_t> lengths, std::int64_t tokens, Options options);
    AttentionContext(std::vector<std::int64_t> lengths, std::int64_t tokens);
    ~AttentionContext();
    AttentionContext(AttentionContext&&) noexcept;
    AttentionContext& operator=(AttentionContext&&) noexcept;

    const std::vector<std::int64_t>& lengths() const; ///< empty if no recording is padded
    std::int64_t tokens() const;
    const Options& options() const;

    /// Padded keys, bool [batch, 1, 1, key]; undefined if there are none.
    const at::Tensor& hiddenPadding();
    /// Later keys for `queries` queries at the end of `keys` keys, bool [query, key]; undefined if a query
    /// sees all. Padding follows a recording's own tokens, so its queries never see it.
    const at::Tensor& hiddenFuture(std::int64_t queries, std::int64_t keys);
    /// The same, and keys more than `reach` before the query.
    const at::Tensor& hiddenOutsidePast(std::int64_t queries, std::int64_t keys, std::int64_t reach);
    /// Slots of a band of `queries` queries and as many keys (banded.h) without a key, and those of later
    /// keys, bool [1, 1, query, 2 · reach + 1].
    const at::Tensor& hiddenFutureSlots(std::int64_t queries, std::int64_t reach);
    /// Slots of a band (banded.h) without a key, bool [batch or 1, 1, query, 2 · reach + 1].
    const at::Tensor& hiddenSlots(std::int64_t reach);
    /// The slots without a key in the band of blocks of `size` tokens, and slots outside the neighbouring
    /// blocks.
    const at::Tensor& hiddenBlockSlots(std::int64_t size);
    /// Sinusoids of the offsets i − j = reach … −reach, [2 · reach + 1, width]; double if `like` is,
    /// otherwise float.
    const at::Tensor& relativeTable(std::int64_t reach, std::int64_t width, const at::Tensor& like);
    /// The same in ESPnet's old form (relativeLegacyPositions), of a recording of so many tokens.
    const at::Tensor& relativeLegacyTable(std::int64_t reach, std::int64_t width, std::int64_t tokens,
                                          const at::Tensor& like);
    /// cos and sin of rotary positions from `first` on, [2, token, width]; double if `like` is, otherwise
    /// float.
    const at::Tensor& rotaryTable(std::int64_t first, std::int64_t count, std::int64_t width,
                                  const at::Tensor& like);

    /// Gives every layer the bias of each offset, [head, 2 · tokens − 1] (relative_bias.h).
    void setRelativeBias(const at::Tensor& byOffset);
    /// The bias of offsets −reach … reach, [head, 1, 2 · reach + 1].
    at::Tensor relativeBias(std::int64_t reach) const;
    /// The bias of every query and key, [head, query, key].
    const at::Tensor& relativeBiasMap();

    /// The context whose masks decide over which keys γ/T is spread: this one, or that of a batch without
    /// padding.
    AttentionContext& relaxedKeys();
    /// γ of this pass for a group: 0 if not relaxed; its sample if fuzzy, the same for every layer.
    double relaxation(const HeadGroup& group);
    const std::vector<FuzzyDraw>& draws() const;

    /// Tells that of the current layer only the first `count` tokens are read, so that its other queries need not be computed.
    /// 0: all are read. For layers of full heads with absolute positions.
    void setReadQueries(std::int64_t count);
    std::int64_t readQueries() const;

    /// Keeps the maps of a layer's groups, before relaxation and dropout, for the layers that reuse them.
    /// They share the graph: gradients of all users flow into the same query and key.
    void keep(int layer, std::vector<KeptMap> maps);
    const std::vector<KeptMap>& kept(int layer) const;
    void release(int layer);

    /// Tells how the current layer is computed from its input, before it is computed with an observer. `layer`
    /// calls the attention block with this context and returns the output of the layer; the observer may call it
    /// again through rest(). `tokenwise`: as in RestOfLayer. An empty function: unknown.
    void setLayer(std::function<at::Tensor()> layer, bool tokenwise);
    const RestOfLayer& rest() const;
    /// The output that the attention block returns instead of computing its own; undefined outside rest().
    const at::Tensor& replacement() const;

private:
    struct Implementation;
    std::unique_ptr<Implementation> m;
};

} // namespace headroom::models
