// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/layers/decoder_layer.h"

#include "models/attention/full.h"
#include "models/attention/multi_head.h"
#include "models/layers/basic.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/matmul.h>

namespace headroom::models {

struct DecoderLayerCache::Implementation {
    at::Tensor keys, values;             // [batch, head, target, headWidth]
    at::Tensor memoryKeys, memoryValues; // [batch, head, token, headWidth]
};

DecoderLayerCache::DecoderLayerCache() : m(std::make_unique<Implementation>()) {}
DecoderLayerCache::~DecoderLayerCache() = default;
DecoderLayerCache::DecoderLayerCache(DecoderLayerCache&&) noexcept = default;
DecoderLayerCache& DecoderLayerCache::operator=(DecoderLayerCache&&) noexcept = default;

namespace {

void append(at::Tensor& sequence, const at::Tensor& next) {
    sequence = sequence.defined() ? at::cat({sequence, next}, 2) : next;
}

} // namespace

at::Tensor decoderLayer(const Scope& scope, const at::Tensor& x, const at::Tensor& memory,
                        const at::Tensor& hiddenMemory, std::int64_t heads, DecoderLayerCache& cacheHandle,
                        const Dropout& dropout) {
    auto& cache = *cacheHandle;

    const Scope self = scope / "self_attn";
    const at::Tensor normed = layerNorm(scope / "self_attn_layer_norm", x); // [batch, target, width]
    append(cache.keys, splitHeads(linear(self / "k_proj", normed), heads));
    append(cache.values, splitHeads(linear(self / "v_proj", normed), heads));
    const std::int64_t targets = x.size(1);
    const at::Tensor hidden = targets > 1 ? hiddenFuture(targets, cache.keys.size(2)) : at::Tensor();
    const at::Tensor selfMap =
        dropped(attentionMap(splitHeads(linear(self / "q_proj", normed), heads), cache.keys, hidden),
                dropout.attention); // [batch, head, target, key]
    at::Tensor y = addResidual(
        dropped(linear(self / "out_proj", joinHeads(at::matmul(selfMap, cache.values))), dropout.hidden), x);

    const Scope cross = scope / "encoder_attn";
    if (!cache.memoryKeys.defined()) {
        cache.memoryKeys = splitHeads(linear(cross / "k_proj", memory), heads);
        cache.memoryValues = splitHeads(linear(cross / "v_proj", memory), heads);
    }
    const at::Tensor queries =
        splitHeads(linear(cross / "q_proj", layerNorm(scope / "encoder_attn_layer_norm", y)), heads);
    const at::Tensor crossMap = dropped(attentionMap(queries, cache.memoryKeys, hiddenMemory),
                                        dropout.attention); // [batch, head, target, token]
    y = addResidual(dropped(linear(cross / "out_proj", joinHeads(at::matmul(crossMap, cache.memoryValues))),
                            dropout.hidden),
                    y);

    return addResidual(feedForward(scope, layerNorm(scope / "final_layer_norm", y), dropout),
                       y); // [batch, target, width]
}

} // namespace headroom::models
