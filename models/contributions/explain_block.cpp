// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/contributions/explain_block.h"

#include "models/kernels/contributions.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/layer_norm.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace headroom::models {
namespace {

double largest(const at::Tensor& differences) {
    return worse(0, differences.abs().max().item<double>()); // NaN wins in ATen's max
}

/// `sum`, Σ_j T_ij and what stands aside before any LayerNorm behind, against the block's captured output.
double rebuildError(const BlockWeights& block, const at::Tensor& sum, const at::Tensor& captured) {
    if (!block.after.defined())
        return largest(sum.sub(captured));
    // σ_i of the whole sum, once per row; β belongs to no term.
    const double epsilon = block.after.epsilon;
    const at::Tensor sigma = sum.var(-1, false, true).add_(epsilon).sqrt_(); // [query, 1]
    const at::Tensor output = at::layer_norm(captured, {captured.size(-1)}, block.after.weight,
                                             block.after.bias, epsilon); // as the layer goes on with it
    return largest(centredAndScaled(sum, block.after).div_(sigma).add_(block.after.bias).sub_(output));
}

/// [head, query, width] → ‖·‖ with rows that sum to 1, [query, head].
at::Tensor relevance(const at::Tensor& perHead, int norm) {
    const at::Tensor strength = perHead.norm(norm, -1).t();
    return strength.div(strength.sum(-1, true).clamp_min(std::numeric_limits<float>::min())).contiguous();
}

/// What every head adds to its query, [head, query, width].
at::Tensor headOutputs(const BlockWeights& block, const std::vector<GroupStep>& groups) {
    if (groups.size() == 1)
        return groupOutputs(block, groups.front());
    std::vector<at::Tensor> perHead;
    for (const GroupStep& group : groups)
        perHead.push_back(groupOutputs(block, group));
    return at::cat(perHead, 0);
}

} // namespace

double worse(double a, double b) {
    if (std::isnan(a) || std::isnan(b))
        return std::numeric_limits<double>::infinity();
    return std::max(a, b);
}

BlockExplanation explainBlock(const BlockWeights& block, const AttentionStep& step, const at::Tensor& storage,
                              int relevanceNorm) {
    BlockExplanation result;
    result.rebuildError = std::numeric_limits<double>::quiet_NaN();
    if (relevanceNorm > 0) {
        const at::Tensor perHead = headOutputs(block, step.groups);
        result.headRelevance = relevance(perHead, relevanceNorm);
        at::Tensor sum = perHead.sum(0).add_(step.input.squeeze(0)); // the biases of convolutions are in perHead
        if (block.outputBias.defined())
            sum.add_(block.outputBias);
        result.rebuildError = rebuildError(block, sum, step.output.squeeze(0));
    }

    BlockTerms terms = blockTerms(behindItsNorm(block), step.groups, step.input);
    if (block.after.defined())
        terms.residual = centredAndScaled(terms.residual, block.after);
    const std::int64_t queries = terms.residual.size(0), keys = terms.transformed.size(1);
    const std::int64_t columns = block.source.defined() ? keys + 1 : keys;
    result.contributions = storage.defined() ? storage : at::empty({queries, columns}, terms.residual.options());
    if (block.source.defined()) {
        contributionsWithResidualColumn(terms.maps, terms.transformed, terms.residual, result.contributions);
    } else {
        result.profile = at::empty({2 * keys - 1}, terms.residual.options().dtype(at::kDouble));
        contributions(terms.maps, terms.transformed, terms.residual, terms.reach, result.contributions,
                      result.profile);
    }
    result.rowSumError = largest(result.contributions.sum(-1, false, at::kDouble).sub_(1.0));
    return result;
}

at::Tensor relevanceOfHeads(const BlockWeights& block, const std::vector<GroupStep>& groups,
                            int relevanceNorm) {
    return relevance(headOutputs(block, groups), relevanceNorm);
}

} // namespace headroom::models
