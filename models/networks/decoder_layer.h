// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/attention/attention_block.h"
#include "models/layers/basic.h"

#include <functional>

namespace headroom::models {

/// The plan shared by a decoder's layers.
struct DecoderLayerPlan {
    AttentionPlan self;  ///< masked heads
    AttentionPlan cross; ///< heads over the encoder's output
    Activation activation = Activation::Relu;
};

/// State shared by the layers in one pass: each kind of attention is a layer type of its own.
struct DecoderContexts {
    AttentionContext self;  ///< of the target tokens
    AttentionContext cross; ///< of the encoder's output, with its lengths
};

/// The keys and values of the target tokens so far, and of the encoder's output, for one decoder layer.
struct DecoderLayerCache {
    KeyValueCache self, cross;
};

/// Called with the tensors of the self-attention and the cross-attention of a layer, in this order. Their rest is what the
/// layer computes behind either.
struct DecoderLayerObservers {
    AttentionObserver self, cross;
    std::function<at::Tensor(const at::Tensor&)> behind = {}; ///< the norm behind the last layer, part of its rest
};

/// One decoder layer on the next `x` [batch, target, width]: masked self-attention, cross-attention to
/// `memory` [batch, token, width], feed-forward, with LayerNorm before or after as the plan says. `cache` has
/// the targets before x and is extended by x.
at::Tensor decoderLayer(const Scope& scope, const at::Tensor& x, const at::Tensor& memory,
                        const DecoderLayerPlan& plan, DecoderContexts& contexts, DecoderLayerCache& cache,
                        const DecoderLayerObservers& observe = {}, const Dropout& dropout = {});

} // namespace headroom::models
