// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"
#include "models/layers/parameters.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace headroom::models {

/// A decoder or a language model of masked heads as a search needs it: many texts that grow by one token each, on the CPU.
/// Equals S2tDecoder or LanguageModel within rounding and is faster, because weights are laid out once (packed_matrix.h), the
/// texts of a recording share its keys, and nothing is copied where texts move. Not thread-safe.
class StepDecoder {
public:
    /// Whether it computes this model: float on the CPU without gradients or autocast, heads without smoothing,
    /// suppression and relaxation. Use S2tDecoder otherwise.
    static bool fits(const Architecture& architecture, const at::Tensor& memory);
    /// Whether it computes this language model: a Transformer, else likewise. Use LanguageModel otherwise.
    static bool fits(const Architecture& architecture, const Parameters& parameters);
    /// As of S2tDecoder. Borrows the parameters.
    StepDecoder(const Parameters& parameters, const Architecture& architecture, const at::Tensor& memory,
                const std::vector<std::int64_t>& lengths);
    /// The language model, `texts` side by side. Borrows the parameters.
    StepDecoder(const Parameters& parameters, const Architecture& architecture, std::int64_t texts);
    ~StepDecoder();
    StepDecoder(StepDecoder&&) noexcept;
    /// Row r continues what row `rows[r]` was fed, on the same recording if there is one. Rows may repeat or be left out.
    void select(const std::vector<std::int64_t>& rows);
    /// Returns logits [row, 1, vocabulary] for the next token of each row; each has exactly one.
    at::Tensor feedBatch(const std::vector<std::vector<int>>& tokens);

private:
    struct Implementation;
    std::unique_ptr<Implementation> m;
};

} // namespace headroom::models
