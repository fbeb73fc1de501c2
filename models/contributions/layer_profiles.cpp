// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/contributions/layer_profiles.h"

#include "models/attention/multi_head.h"
#include "models/contributions/explain_block.h"
#include "models/kernels/device_operators.h"

#include <ATen/ops/bmm.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/sum.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

namespace headroom::models {
namespace {

bool oneShape(const BlockTerms& a, const BlockTerms& b) {
    return a.maps.sizes() == b.maps.sizes() && a.residual.sizes() == b.residual.sizes();
}

/// W_O of a part as a product needs it, [head, valueWidth, width].
at::Tensor perHead(const BlockTerms::Part& part) {
    const std::int64_t heads = part.values.size(0), valueWidth = part.values.size(2);
    return part.weight.view({part.weight.size(0), heads, valueWidth}).permute({1, 2, 0});
}

/// u of every layer, [head, token, width]; of layers that have one part of one shape in one product.
std::vector<at::Tensor> transformedOf(const std::vector<BlockTerms>& layers) {
    std::vector<at::Tensor> result;
    const auto isAlike = [&](const BlockTerms& terms) {
        return terms.parts.size() == 1 && terms.parts.front().values.sizes() == layers.front().parts.front().values.sizes();
    };
    if (layers.size() == 1 || !std::all_of(layers.begin(), layers.end(), isAlike)) {
        for (const BlockTerms& terms : layers)
            result.push_back(terms.transformed());
        return result;
    }
    std::vector<at::Tensor> values, weights;
    for (const BlockTerms& terms : layers) {
        values.push_back(terms.parts.front().values);
        weights.push_back(perHead(terms.parts.front()));
    }
    const at::Tensor all = at::bmm(at::cat(values, 0), at::cat(weights, 0)); // [layer · head, token, width]
    const std::int64_t heads = values.front().size(0);
    for (std::size_t layer = 0; layer < layers.size(); ++layer)
        result.push_back(all.narrow(0, static_cast<std::int64_t>(layer) * heads, heads));
    return result;
}

} // namespace

bool ProfilesOfLayers::serve(const AnalysisOptions& options, const at::Tensor& like) {
    return options.explain && options.contributions && options.strongestPairs && options.relevanceNorm == 0 && !options.errors &&
           options.checkedRows == 0 && !options.keepContributions && !options.keepAttention && !options.headProfiles &&
           !options.keepStates && !options.keepOutput && options.mixing.measures.empty() && !like.is_cpu() &&
           hasDeviceKernels(like);
}

void ProfilesOfLayers::add(const BlockWeights& block, int layer, const AttentionStep& step) {
    LayerAnalysis found;
    found.layer = layer;
    found.queries = step.input.size(1);
    found.reason = reasonWithoutContributions(step.groups);
    found.rebuildError = found.gramError = found.rowSumError = std::numeric_limits<float>::quiet_NaN();
    for (const GroupStep& group : step.groups)
        found.attentionProfiles.resize(found.attentionProfiles.size() + static_cast<std::size_t>(group.applied.weights.size(1)));
    const bool hasTerms = found.reason.empty();
    m_found.push_back(std::move(found));
    m_places.push_back(hasTerms ? m_first + static_cast<std::int64_t>(m_waiting.size()) : -1);
    if (!hasTerms)
        return;
    BlockTerms terms = contributedTerms(block, step);
    if (!m_waiting.empty() && !oneShape(m_waiting.front(), terms))
        launch();
    m_heldBytes += terms.maps.numel() * static_cast<std::int64_t>(terms.maps.itemsize());
    m_waiting.push_back(std::move(terms));
    if (m_heldBytes > kHeldBytes || static_cast<std::int64_t>(m_waiting.size()) == device::kLayersAtOnce)
        launch();
}

void ProfilesOfLayers::launch() {
    if (m_waiting.empty())
        return;
    const std::int64_t diagonals = 2 * m_waiting.front().maps.size(2) - 1;
    if (!m_results.defined())
        m_results = at::empty({static_cast<std::int64_t>(m_layers) * 3 * diagonals + 1},
                              m_waiting.front().residual.options().dtype(at::kDouble));
    std::vector<at::Tensor> maps, residuals;
    std::int64_t reach = 0;
    for (const BlockTerms& terms : m_waiting) {
        maps.push_back(terms.maps);
        residuals.push_back(terms.residual);
        reach = std::max(reach, terms.reach); // zeros of a layer that reaches less far are in its map
    }
    const auto count = static_cast<std::int64_t>(m_waiting.size());
    at::Tensor out = m_results.narrow(0, m_first * 3 * diagonals, count * 3 * diagonals).view({count, 3, diagonals});
    device::layerProfiles(maps, transformedOf(m_waiting), residuals, reach, out);
    m_first += count;
    m_heldBytes = 0;
    m_waiting.clear();
}

double ProfilesOfLayers::read(const at::Tensor& output, const std::function<void(LayerAnalysis&&)>& onLayer) {
    launch();
    if (!m_results.defined())
        m_results = at::empty({1}, output.options().dtype(at::kDouble));
    at::Tensor sum = m_results.narrow(0, m_results.size(0) - 1, 1).squeeze(0);
    at::sum_out(sum, output, at::OptionalIntArrayRef(), false, at::kDouble);
    const at::Tensor here = m_results.cpu();
    const std::span<const double> numbers(here.const_data_ptr<double>(), static_cast<std::size_t>(here.numel()));
    if (!std::isfinite(numbers.back()))
        return numbers.back();
    for (std::size_t i = 0; i < m_found.size(); ++i) {
        LayerAnalysis& found = m_found[i];
        if (m_places[i] >= 0) {
            const auto diagonals = static_cast<std::size_t>(2 * found.queries - 1);
            const auto own = numbers.subspan(static_cast<std::size_t>(m_places[i]) * 3 * diagonals, 3 * diagonals);
            found.contributionProfile = DiagonalProfile(std::vector<double>(own.begin(), own.begin() + static_cast<std::ptrdiff_t>(diagonals)));
            found.strongest = strongestByDistance(own.subspan(diagonals, diagonals), own.subspan(2 * diagonals));
        }
        onLayer(std::move(found));
    }
    return numbers.back();
}

} // namespace headroom::models
