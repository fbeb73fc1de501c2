// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/networks/decoder_layer.h"

#include <ATen/core/Tensor.h>

namespace headroom::models {

at::Tensor decoderLayer(const Scope& scope, const at::Tensor& x, const at::Tensor& memory,
                        const DecoderLayerPlan& plan, DecoderContexts& contexts, DecoderLayerCache& cache,
                        const DecoderLayerObservers& observe, const Dropout& dropout) {
    at::Tensor y = selfAttentionBlock(scope, x, plan.self, contexts.self, observe.self, dropout, &cache.self);
    y = crossAttentionBlock(scope, y, memory, plan.cross, contexts.cross, observe.cross, dropout,
                            &cache.cross); // [batch, target, width]
    return feedForwardBlock(scope, y, plan.self.postNorm, plan.activation, dropout);
}

} // namespace headroom::models
