// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/layers/parameters.h"

#include <cstdint>
#include <vector>

namespace headroom::models {

/// Embeds tokens of texts that arrive in pieces; counts the tokens of each text without <pad>.
class TokenEmbedding {
public:
    /// `positioned`: √width · embedding + sinusoids, as for a Transformer; otherwise the embedding alone.
    TokenEmbedding(std::int64_t batch, bool positioned)
        : m_fed(static_cast<std::size_t>(batch))
        , m_positioned(positioned) {}

    /// Returns [batch, target, width] of the next tokens, a row for each text, of equal length. `table`
    /// [vocabulary, width].
    at::Tensor of(const std::vector<std::vector<int>>& tokens, const at::Tensor& table);
    /// Row r continues row `rows[r]`.
    void select(const std::vector<std::int64_t>& rows);

private:
    std::vector<std::int64_t> m_fed;
    bool m_positioned;
};

/// Converts x [batch, target, width] to logits [batch, target, vocabulary] with lm_head.weight, or with the
/// embedding if there is none.
at::Tensor tokenLogits(const Parameters& parameters, const at::Tensor& table, const at::Tensor& x);

} // namespace headroom::models
