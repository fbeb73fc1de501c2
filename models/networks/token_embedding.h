// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/layers/parameters.h"

#include <cstdint>
#include <vector>

namespace headroom::models {

/// Embeds tokens of texts that arrive in pieces; counts the tokens of each text without <pad>.
class TokenEmbedding {
public:
    /// What is added to an embedding. Sinusoidal: sinusoids, to √width · embedding (S2T). Learnt: the row of a
    /// table that belongs to the place of the token, from 0 (Whisper).
    enum class Positions { None, Sinusoidal, Learnt };
    /// `scaled`: the embedding is multiplied by √width before positions are added.
    TokenEmbedding(std::int64_t batch, Positions positions, bool scaled)
        : m_fed(static_cast<std::size_t>(batch))
        , m_positions(positions)
        , m_scaled(scaled) {}

    /// Returns [batch, target, width] of the next tokens, a row for each text, of equal length. `table`
    /// [vocabulary, width]; `places` [place, width] with learnt positions, otherwise undefined. `ids`: embedded instead of
    /// `tokens`, which then only say where <pad> is; [batch, target] on the device of `table`; undefined: `tokens` themselves.
    at::Tensor of(const std::vector<std::vector<int>>& tokens, const at::Tensor& table, const at::Tensor& places,
                  const at::Tensor& ids = {});
    /// Row r continues row `rows[r]`.
    void select(const std::vector<std::int64_t>& rows);

private:
    std::vector<std::int64_t> m_fed;
    Positions m_positions;
    bool m_scaled;
};

/// Returns lm_head.weight, or the embedding `table` if there is none, [vocabulary, width].
const at::Tensor& outputWeight(const Parameters& parameters, const at::Tensor& table);

/// Converts x [batch, target, width] to logits [batch, target, vocabulary] with outputWeight().
at::Tensor tokenLogits(const Parameters& parameters, const at::Tensor& table, const at::Tensor& x);

} // namespace headroom::models
