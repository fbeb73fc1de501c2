// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/contributions/block_terms.h"
#include "models/contributions/layer_analysis.h"

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <vector>

namespace headroom::models {

/// What a study of profiles needs of every layer of an utterance, on a device with our kernels: launched for many layers together,
/// and read in one copy. An utterance is so little work for a GPU that it is bound by launches and by waiting for copies.
/// The layers' maps stay on the device until then, but never more than `kHeldBytes` and the maps of one layer.
class ProfilesOfLayers {
public:
    static constexpr std::int64_t kHeldBytes = 256 << 20;

    /// Whether it computes all that these options ask for, with tensors on the device of `like`.
    static bool serve(const AnalysisOptions& options, const at::Tensor& like);

    explicit ProfilesOfLayers(std::size_t layers) : m_layers(layers) {}
    /// One layer after the other; the step's tensors are held.
    void add(const BlockWeights& block, int layer, const AttentionStep& step);
    /// Returns the sum of `output` in double, which comes in the same copy. Only if it is finite, what was found is handed over.
    double read(const at::Tensor& output, const std::function<void(LayerAnalysis&&)>& onLayer);

private:
    void launch();

    const std::size_t m_layers;
    std::vector<LayerAnalysis> m_found;
    std::vector<std::int64_t> m_places; ///< of each of m_found in m_results; −1: it has a reason
    at::Tensor m_results;               ///< [layers · 3 · (2N − 1) + 1]: as layerProfiles() writes them, and the output's sum
    std::int64_t m_first = 0, m_heldBytes = 0; ///< layers that were launched; bytes that wait
    std::vector<BlockTerms> m_waiting;
};

} // namespace headroom::models
