// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/contributions/block_weights.h"

#include "models/kernels/banded.h"

namespace headroom::models {

namespace {

at::Tensor where(const Scope& scope, const std::string& name) {
    return scope.has(name) ? scope[name] : at::Tensor();
}

} // namespace

BlockWeights blockWeights(const Scope& layer, const std::string& attention, const std::string& norm,
                          NormPlace place, double epsilon) {
    const Scope projections = layer / attention;
    BlockWeights block;
    block.outputWeight = projections["out_proj.weight"];
    block.outputBias = where(projections, "out_proj.bias");
    block.valueWeight = projections["v_proj.weight"];
    block.valueBias = where(projections, "v_proj.bias");
    const NormWeights weights{layer[norm + ".weight"], layer[norm + ".bias"], epsilon};
    (place == NormPlace::Pre ? block.before : block.after) = weights;
    return block;
}

std::string reasonWithoutContributions(const std::vector<GroupStep>& groups) {
    for (const GroupStep& group : groups)
        if (group.kind.kind == HeadKind::Conv && group.kind.convForm == ConvForm::Speechformer)
            return "Speechformer's compression gates its output (GLU), so the layer is not a sum over "
                   "tokens: there "
                   "are no exact contributions.";
    return {};
}

at::Tensor denseMap(const AttentionMap& map) {
    if (map.form == AttentionMap::Form::Band)
        return bandedToDense(map.weights, map.reach).squeeze(0);
    return map.weights.squeeze(0);
}

} // namespace headroom::models
