// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/contributions/explain_block.h"

#include "models/kernels/added_heads.h"
#include "models/kernels/contributions.h"

#include <ATen/ops/bmm.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/layer_norm.h>
#include <ATen/ops/maximum.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace headroom::models {
namespace {

/// max |x|. Of the largest and the smallest, because abs() has no form for tensors without numbers. NaN wins in all of them.
at::Tensor largest(const at::Tensor& differences) {
    return at::maximum(differences.amax(), differences.amin().neg());
}

double read(const at::Tensor& error) {
    return error.defined() ? worse(0, error.item<double>()) : std::numeric_limits<double>::quiet_NaN();
}

/// `sum`, Σ_j T_ij and what stands aside before any LayerNorm behind, against the block's captured output.
at::Tensor rebuildError(const BlockWeights& block, const at::Tensor& sum, const at::Tensor& captured) {
    if (!block.after.defined())
        return largest(sum.sub(captured));
    // σ_i of the whole sum, once per row; β belongs to no term.
    const double epsilon = block.after.epsilon;
    const at::Tensor centred = sum.sub(sum.mean(-1, true)); // not var(), which has no form for tensors without numbers
    const at::Tensor sigma = centred.square().mean(-1, true).add_(epsilon).sqrt_(); // [query, 1]
    const at::Tensor output = at::layer_norm(captured, {captured.size(-1)}, block.after.weight,
                                             block.after.bias, epsilon); // as the layer goes on with it
    return largest(centredAndScaled(sum, block.after).div_(sigma).add_(block.after.bias).sub_(output));
}

/// Norms of what heads add, [head, query], with rows that sum to 1: [query, head].
at::Tensor relevance(const at::Tensor& norms) {
    const at::Tensor strength = norms.t();
    return strength.div(strength.sum(-1, true).clamp_min(std::numeric_limits<float>::min())).contiguous();
}

/// ‖W_O^h z^h_i‖₂, [head, query], as √(zᵀ (W_Oᵀ W_O) z): valueWidth² products for a query instead of valueWidth · width.
/// In double, because the products may cancel.
at::Tensor euclideanNorms(const at::Tensor& mixed, const at::Tensor& weight) {
    const std::int64_t heads = mixed.size(0), valueWidth = mixed.size(2);
    const at::Tensor perHead = weight.to(at::kDouble).view({weight.size(0), heads, valueWidth}).permute({1, 0, 2});
    const at::Tensor gram = at::bmm(perHead.transpose(1, 2), perHead); // [head, valueWidth, valueWidth]
    const at::Tensor z = mixed.to(at::kDouble);
    return at::bmm(z, gram).mul_(z).sum(-1).clamp_min_(0).sqrt_().to(mixed.scalar_type());
}

/// ‖W_O^h z^h_i‖ of a group's heads, [head, query].
at::Tensor normsOf(const BlockWeights& block, const GroupStep& group, const at::Tensor& mixed, int norm) {
    const at::Tensor weight = outputWeightOf(block, group);
    return norm == 2 ? euclideanNorms(mixed, weight) : transformedValues(mixed, weight).norm(norm, -1);
}

/// Head relevance and rebuildError before its number is read: nothing waits for the device until then.
struct RebuiltBlock {
    at::Tensor headRelevance;
    at::Tensor error; ///< without a dimension; undefined: not computed
};

RebuiltBlock rebuildBlock(const BlockWeights& block, const AttentionStep& step, int relevanceNorm, bool errors) {
    if (relevanceNorm == 0)
        return {};
    at::Tensor sum = step.input.squeeze(0); // [query, width]
    if (errors || sum.is_cpu()) {
        sum = sum.clone(at::MemoryFormat::Contiguous);
        if (block.outputBias.defined())
            sum.add_(block.outputBias);
    }
    std::vector<at::Tensor> norms;
    for (const GroupStep& group : step.groups) {
        const at::Tensor mixed = groupMixed(group); // the biases of convolutions are inside
        if (sum.is_cpu()) {
            norms.push_back(addEachHead(mixed, outputWeightOf(block, group), relevanceNorm, sum));
            continue;
        }
        norms.push_back(normsOf(block, group, mixed, relevanceNorm));
        if (errors)
            sum.addmm_(mixed.transpose(0, 1).reshape({mixed.size(1), -1}), outputWeightOf(block, group).t());
    }
    return {relevance(norms.size() == 1 ? norms.front() : at::cat(norms, 0)),
            errors ? rebuildError(block, sum, step.output.squeeze(0)) : at::Tensor()};
}

/// C and its profile, before the row sums are read.
struct ContributedBlock {
    at::Tensor contributions, profile;
    at::Tensor rowSumError; ///< without a dimension
};

ContributedBlock contributedBlock(const BlockWeights& block, const AttentionStep& step, const at::Tensor& storage,
                                  bool errors) {
    ContributedBlock result;
    const BlockTerms terms = contributedTerms(block, step);
    const std::int64_t queries = terms.residual.size(0), keys = terms.maps.size(2);
    const auto transformedOf = terms.transforming();
    const std::int64_t columns = block.source.defined() ? keys + 1 : keys;
    result.contributions = storage.defined() ? storage : at::empty({queries, columns}, terms.residual.options());
    if (block.source.defined()) {
        contributionsWithResidualColumn(terms.maps, transformedOf, terms.residual, result.contributions);
    } else {
        result.profile = at::empty({2 * keys - 1}, terms.residual.options().dtype(at::kDouble));
        contributions(terms.maps, transformedOf, terms.residual, terms.reach, result.contributions, result.profile);
    }
    if (errors)
        result.rowSumError = largest(result.contributions.sum(-1, false, at::kDouble).sub_(1.0));
    return result;
}

} // namespace

BlockTerms contributedTerms(const BlockWeights& block, const AttentionStep& step) {
    BlockTerms terms = blockTerms(behindItsNorm(block), step.groups, step.input);
    if (block.after.defined())
        terms.residual = centredAndScaled(terms.residual, block.after);
    return terms;
}

double worse(double a, double b) {
    if (std::isnan(a) || std::isnan(b))
        return std::numeric_limits<double>::infinity();
    return std::max(a, b);
}

UnreadExplanation explainUnread(const BlockWeights& block, const AttentionStep& step, const at::Tensor& storage,
                                int relevanceNorm, bool errors) {
    RebuiltBlock rebuilt = rebuildBlock(block, step, relevanceNorm, errors);
    ContributedBlock computed = contributedBlock(block, step, storage, errors);
    return {std::move(computed.contributions), std::move(computed.profile), std::move(rebuilt.headRelevance),
            std::move(rebuilt.error), std::move(computed.rowSumError)};
}

BlockExplanation explainBlock(const BlockWeights& block, const AttentionStep& step, const at::Tensor& storage,
                              int relevanceNorm, const BlockExplanation* known, bool errors) {
    if (known) {
        const RebuiltBlock rebuilt = rebuildBlock(block, step, relevanceNorm, errors);
        const at::Tensor& found = known->contributions;
        return {storage.defined() ? storage.copy_(found) : found, known->profile, rebuilt.headRelevance, read(rebuilt.error),
                known->rowSumError};
    }
    const UnreadExplanation found = explainUnread(block, step, storage, relevanceNorm, errors);
    return {found.contributions, found.profile, found.headRelevance, read(found.rebuildError), read(found.rowSumError)};
}

at::Tensor explainedRelevance(const BlockWeights& block, const AttentionStep& step, int relevanceNorm) {
    return rebuildBlock(block, step, relevanceNorm, false).headRelevance;
}

at::Tensor relevanceOfHeads(const BlockWeights& block, const std::vector<GroupStep>& groups,
                            int relevanceNorm) {
    std::vector<at::Tensor> norms;
    for (const GroupStep& group : groups)
        norms.push_back(normsOf(block, group, groupMixed(group), relevanceNorm));
    return relevance(at::cat(norms, 0));
}

} // namespace headroom::models
