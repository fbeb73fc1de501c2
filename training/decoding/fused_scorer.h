// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/networks/token_scorer.h"

#include <memory>
#include <utility>
#include <vector>

namespace headroom::training {

/// Adds the scores of several models: Σ_k weight_k · ln P_k, nothing renormalised.
/// - Shallow fusion (Lohrenz et al. 2022): ln P_asr + λ · ln P_lm.
/// - Density ratio and subtraction of the internal language model: … − μ · ln P_subtract, a negative weight.
/// Parts of weight 0 are never computed. All parts have the same rows.
class FusedScorer final : public models::TokenScorer {
public:
    struct Part {
        std::unique_ptr<models::TokenScorer> scorer;
        double weight = 1;
    };
    /// `parts`: at least one. Throws Error "decoding.vocabulary" if their vocabularies differ in size.
    explicit FusedScorer(std::vector<Part> parts);

    int vocabulary() const override;
    std::int64_t maximumTokens() const override; ///< the least of the parts
    Matrix<float> extend(std::span<const std::int64_t> parents, std::span<const int> tokens) override;
    bool keepAttention() override; ///< of the first part that has any
    const Matrix<float>& attention() const override;

private:
    const models::TokenScorer* m_attending = nullptr;
    std::vector<Part> m_parts;
};

} // namespace headroom::training
