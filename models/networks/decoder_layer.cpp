// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/networks/decoder_layer.h"

#include <ATen/core/Tensor.h>

namespace headroom::models {

at::Tensor decoderLayer(const Scope& scope, const at::Tensor& x, const at::Tensor& memory,
                        const DecoderLayerPlan& plan, DecoderContexts& contexts, DecoderLayerCache& cache,
                        const DecoderLayerObservers& observe, const Dropout& dropout) {
    const auto behindCross = [&](const at::Tensor& y) {
        return feedForwardBlock(scope, y, plan.self.postNorm, plan.activation, dropout);
    };
    const auto cross = [&](const at::Tensor& y, const AttentionObserver& observer) {
        return crossAttentionBlock(scope, y, memory, plan.cross, contexts.cross, observer, dropout, &cache.cross);
    };
    const auto output = [&](const at::Tensor& y) { return observe.behind ? observe.behind(y) : y; };
    if (observe.self)
        contexts.self.setLayer(
            [&] {
                const at::Tensor y = selfAttentionBlock(scope, x, plan.self, contexts.self); // the replacement
                return output(behindCross(cross(y, {})));
            },
            true);
    at::Tensor y = selfAttentionBlock(scope, x, plan.self, contexts.self, observe.self, dropout, &cache.self);
    contexts.self.setLayer({}, false);
    if (observe.cross)
        contexts.cross.setLayer([&] { return output(behindCross(cross(y, {}))); }, true);
    const at::Tensor attended = cross(y, observe.cross); // [batch, target, width]
    contexts.cross.setLayer({}, false);
    return behindCross(attended);
}

} // namespace headroom::models
