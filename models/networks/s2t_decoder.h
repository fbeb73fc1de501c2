// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"
#include "models/layers/parameters.h"

#include <memory>
#include <vector>

namespace headroom::models {

inline constexpr int kEndOfSentence = 2; ///< </s>: ends a hypothesis, and starts the decoder

/// The decoder over one recording, fed any number of tokens at a time; it remembers those before (key–value
/// cache). Borrows the parameters. One thread.
class S2tDecoder {
public:
    /// `memory`: the encoder's output [1, token, width].
    S2tDecoder(const Parameters& parameters, const Architecture& architecture, const at::Tensor& memory);
    ~S2tDecoder();
    /// Logits [tokens, vocabulary] for the next tokens.
    at::Tensor feed(const std::vector<int>& tokens);

private:
    struct Implementation;
    std::unique_ptr<Implementation> m;
};

} // namespace headroom::models
