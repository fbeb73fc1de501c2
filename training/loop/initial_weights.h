// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"
#include "core/runs/recipe.h"
#include "models/layers/parameters.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace headroom::training {

/// Every learnt tensor of the architecture, drawn as fairseq draws them: projections of q, k, v
/// Xavier-uniform with gain 1/√2, of the output with gain 1 and bias 0; other linear layers, their biases,
/// and convolutions uniform in ±1/√fan-in; embedding and output N(0, 1/d), the row of <pad> zero; norms 1 and
/// 0. Layers without biases of q, k, v (Sant et al. 2022) as their released code: all four projections
/// uniform in ±1/√fan-in; where all heads are block-local, Xavier-uniform with gain 1, bias 0. pos_bias_u and
/// _v Xavier-uniform, an LSTM uniform in ±0.1. `withCtc` adds ctc.weight and ctc.bias where the document has
/// none. Ready to be trained: each requires its gradient, but running statistics, which start at 0 and 1.
models::Parameters initialWeights(const Architecture& architecture, bool withCtc, std::uint64_t seed);

/// The name of the model's folder and which part of it: "M" or "M:encoder".
struct StartFrom {
    std::filesystem::path model;
    bool encoderOnly = false;
    static StartFrom parse(const std::string& text);
};

/// Takes the weights of a trained model over into `parameters`. Throws Error "train.startFrom" with every
/// tensor that is missing or of another shape, and what opening a model throws.
void takeWeights(const StartFrom& from, const Architecture& architecture,
                 const models::Parameters& parameters);

/// What of an architecture cannot be trained by this version, or not with this loss: Error
/// "model.unsupported", "model.kindNotBuilt", "train.ctcWeight". `file` stands in the sentence.
void checkTrainable(const Architecture& architecture, const Recipe::Loss& loss, const std::string& file);

} // namespace headroom::training
