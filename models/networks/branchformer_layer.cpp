// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/networks/branchformer_layer.h"

#include "models/layers/basic.h"
#include "models/layers/gating_module.h"
#include "models/networks/conformer_layer.h"

#include <ATen/core/Tensor.h>

namespace headroom::models {

at::Tensor branchformerLayer(const Scope& scope, const at::Tensor& x, const Architecture::Encoder& encoder,
                             const AttentionPlan& plan, AttentionContext& context,
                             const AttentionObserver& observe, const Dropout& dropout) {
    const bool macaron = encoder.feedForward > 0;
    const double epsilon = plan.normEpsilon;
    at::Tensor y = macaron ? halfFeedForward(scope, "ffn1", x, encoder.activation, dropout, epsilon) : x;
    // The block gives its sum with the residual, which explanations need; the merge reads the attention alone.
    const at::Tensor attended = selfAttentionBlock(scope, y, plan, context, observe, dropout).sub(y);
    at::Tensor gated = gatingModule(scope / "gated", *encoder.branch,
                                    layerNorm(scope / "gated_layer_norm", y, epsilon), context.lengths(), dropout, epsilon);
    if (gated.size(0) != attended.size(0)) // a block that stands in for the attention may be many
        gated = gated.expand(attended.sizes());
    y = addResidual(mergedBranches(scope / "merge", *encoder.branch, attended, gated, context.lengths(), dropout), y);
    if (macaron)
        y = halfFeedForward(scope, "ffn2", y, encoder.activation, dropout, epsilon);
    return layerNorm(scope / "final_layer_norm", y, epsilon);
}

} // namespace headroom::models
