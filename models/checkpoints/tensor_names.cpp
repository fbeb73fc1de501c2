// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/checkpoints/tensor_names.h"

#include "models/attention/attention_plan.h"

namespace headroom::models {

std::vector<ExpectedTensor> expectedTensors(const Architecture& architecture, bool tied) {
    if (!architecture.languageModel)
        attentionPlans(architecture.encoder, architecture.name); // throws for heads that no kernel computes
    return weightShapes(architecture, tied);
}

bool isTableOfPositions(const std::string& name) {
    return name == "model.encoder.embed_positions.weights" || name == "model.decoder.embed_positions.weights";
}

} // namespace headroom::models
