// SPDX-License-Identifier: GPL-3.0-or-later
// Recordings that are the same in every batch, and gradients to compare: for tests of a pass of training.
#pragma once

#include "core/architecture/architecture.h"
#include "models/layers/parameters.h"
#include "training/data/loader.h"
#include "training/data/random.h"

#include <ATen/core/Tensor.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

namespace headroom::testing::pass_batches {

using training::Batch;
using training::Random;

inline const std::vector<std::int64_t> kFrames{61, 33, 48};
inline const std::vector<std::vector<int>> kTargets{{4, 5, 6, 7, 8, 9, 10, 11}, {12, 13, 14}, {4, 9, 4, 9, 4}};
inline constexpr std::int64_t kPieces = 20;

/// Without dropout, so that passes can be compared.
inline Architecture quiet(Architecture architecture) {
    architecture.encoder.dropout = architecture.encoder.attentionDropout = 0;
    if (architecture.decoder)
        architecture.vocabulary = kPieces;
    return architecture;
}

/// The recordings `which`, each the same in every batch.
inline Batch batchOf(const std::vector<std::int64_t>& which) {
    Batch batch;
    batch.examples = which;
    for (const std::int64_t i : which) {
        batch.frames.push_back(kFrames[static_cast<std::size_t>(i)]);
        batch.targets.push_back(kTargets[static_cast<std::size_t>(i)]);
        batch.longest = std::max(batch.longest, batch.frames.back());
    }
    const auto row = static_cast<std::size_t>(batch.longest * batch.bins);
    batch.features.resize(which.size() * row);
    for (std::size_t i = 0; i < which.size(); ++i) {
        Random random{7, static_cast<std::uint64_t>(which[i])};
        for (std::int64_t k = 0; k < batch.frames[i] * batch.bins; ++k)
            batch.features[i * row + static_cast<std::size_t>(k)] = static_cast<float>(2 * random.share() - 1);
    }
    return batch;
}

using Gradients = std::map<std::string, at::Tensor>;

/// The gradients, which the parameters then no longer have.
inline Gradients takeGradients(const models::Parameters& parameters) {
    Gradients gradients;
    parameters.forEach([&](const std::string& name, const at::Tensor& tensor) {
        if (tensor.grad().defined())
            gradients[name] = tensor.grad().clone();
        tensor.mutable_grad().reset();
    });
    return gradients;
}

inline double largest(const at::Tensor& difference) { return difference.abs().max().item<double>(); }

/// The largest difference relative to the size of the gradients; infinite if one side has more of them.
inline double apart(const Gradients& left, const Gradients& right) {
    if (left.size() != right.size())
        return INFINITY;
    double difference = 0, size = 0;
    for (const auto& [name, gradient] : left) {
        difference = std::max(difference, largest(gradient.sub(right.at(name))));
        size = std::max(size, largest(gradient));
    }
    return difference / size;
}

} // namespace headroom::testing::pass_batches
