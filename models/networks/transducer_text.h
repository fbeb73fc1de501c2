// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/checkpoints/transducer.h"

#include <cstdint>
#include <vector>

namespace headroom::models {

/// The labels that a transducer heard, without blanks, and the token of the encoder at which it wrote each.
struct TransducerText {
    std::vector<int> ids;
    std::vector<std::int64_t> tokens;
    std::vector<double> logProbabilities; ///< of each label among all labels and the blank, where it was written
};

/// Greedy decoding over the encoder's output `memory` [1, token, width].
///
///     z = relu(W_e h_t + W_p LSTM(y_1 … y_u)),   k = argmax over labels of W z + b,   t moves on by
///
/// - RNN-T: one token at a blank, and after `mostSymbols` labels at one token.
/// - TDT: the duration that the joint network finds likeliest, at least one token at a blank.
///
/// Ends behind the last token, or after `mostSymbols` steps for every token (a TDT model that never moves
/// on).
TransducerText transducerGreedy(const Transducer& transducer, const at::Tensor& memory);

} // namespace headroom::models
