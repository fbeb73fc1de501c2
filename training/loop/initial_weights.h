// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"
#include "core/runs/recipe.h"
#include "core/runs/start_from.h"
#include "models/layers/parameters.h"

#include <cstdint>
#include <string>

namespace headroom::training {

/// Initialises every parameter of the architecture as fairseq does:
/// - projections of q, k, v: Xavier uniform with gain 1/√2; of the output: gain 1 and bias 0;
/// - other linear layers, their biases, and convolutions: uniform in ±1/√fan-in;
/// - embedding and output: N(0, 1/d), the row of <pad> zero; norms: 1 and 0;
/// - layers without biases of q, k, v (Sant et al. 2022), as in their released code: all four projections
///   uniform in ±1/√fan-in; if all heads are block-local, Xavier uniform with gain 1, bias 0;
/// - pos_bias_u and _v: Xavier uniform; an LSTM: uniform in ±0.1.
///
/// `withCtc` adds ctc.weight and ctc.bias if the document has none. All require gradients except running
/// statistics, which start at 0 and 1.
models::Parameters initialWeights(const Architecture& architecture, bool withCtc, std::uint64_t seed);

/// Copies the weights of a trained model into `parameters`. Returns what is worth knowing of them, as sentences
/// (core/architecture/start_note.h), or an empty string. Throws Error "train.startFrom" with the heads whose
/// weights are missing, or else with every tensor that is missing or has a different shape, and the errors of opening a model.
std::string takeWeights(const StartFrom& from, const Architecture& architecture,
                        const models::Parameters& parameters);

/// Throws Error "model.unsupported", "model.kindNotBuilt", "train.loss", "train.consistency" or "train.ctcWeight" for an architecture that
/// cannot be trained by this version or with this loss (lossMistake()). `file`: what the message calls it.
void checkTrainable(const Architecture& architecture, const Recipe::Loss& loss, const std::string& file);

} // namespace headroom::training
