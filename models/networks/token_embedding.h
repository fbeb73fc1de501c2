// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/layers/parameters.h"

#include <cstdint>
#include <vector>

namespace headroom::models {

/// Tokens into vectors, for texts that are fed piece by piece: it counts the tokens of each text, <pad> not.
class TokenEmbedding {
public:
    /// `positioned`: √width · embedding + sinusoids, as a Transformer reads them; else the embedding alone.
    TokenEmbedding(std::int64_t batch, bool positioned)
        : m_fed(static_cast<std::size_t>(batch))
        , m_positioned(positioned) {}

    /// [batch, target, width] of the next tokens, a row for each text, all equally long. `table` [vocabulary,
    /// width].
    at::Tensor of(const std::vector<std::vector<int>>& tokens, const at::Tensor& table);

private:
    std::vector<std::int64_t> m_fed;
    bool m_positioned;
};

/// x [batch, target, width] into logits [batch, target, vocabulary]: by lm_head.weight, or, in a model
/// without one, by the embedding.
at::Tensor tokenLogits(const Parameters& parameters, const at::Tensor& table, const at::Tensor& x);

} // namespace headroom::models
