// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/checkpoints/tensor_names.h"

#include "core/architecture/weight_shapes.h"
#include "models/attention/attention_plan.h"

#include <utility>

namespace headroom::models {

std::vector<ExpectedTensor> expectedTensors(const Architecture& architecture, bool tied) {
    if (!architecture.languageModel)
        attentionPlans(architecture.encoder, architecture.name); // refuses heads that nobody computes
    std::vector<ExpectedTensor> tensors;
    for (WeightShape& weight : weightShapes(architecture, tied))
        tensors.push_back({std::move(weight.name), std::move(weight.shape), weight.buffer});
    return tensors;
}

bool isTableOfPositions(const std::string& name) {
    return name == "model.encoder.embed_positions.weights" || name == "model.decoder.embed_positions.weights";
}

} // namespace headroom::models
