// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/attention/attention_block.h"
#include "models/layers/basic.h"

namespace headroom::models {

/// What a decoder's layers have in common.
struct DecoderLayerPlan {
    AttentionPlan self;  ///< masked heads
    AttentionPlan cross; ///< heads over the encoder's output
    Activation activation = Activation::Relu;
};

/// What one pass shares between them: each kind of attention is a layer type of its own.
struct DecoderContexts {
    AttentionContext self;  ///< of the target tokens
    AttentionContext cross; ///< of the encoder's output, with its lengths
};

/// What one decoder layer remembers of the target tokens seen so far, and of the encoder's output.
struct DecoderLayerCache {
    KeyValueCache self, cross;
};

/// Called with the tensors of a layer's own attention and of its cross-attention, in this order.
struct DecoderLayerObservers {
    AttentionObserver self, cross;
};

/// One decoder layer on the next `x` [batch, target, width]: masked self-attention, cross-attention to
/// `memory` [batch, token, width], feed-forward, each with LayerNorm before or behind, as the plan says.
/// `cache` holds the targets before x and is extended by x.
at::Tensor decoderLayer(const Scope& scope, const at::Tensor& x, const at::Tensor& memory,
                        const DecoderLayerPlan& plan, DecoderContexts& contexts, DecoderLayerCache& cache,
                        const DecoderLayerObservers& observe = {}, const Dropout& dropout = {});

} // namespace headroom::models
