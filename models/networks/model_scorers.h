// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"
#include "models/layers/parameters.h"
#include "models/networks/token_scorer.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace headroom::models {

// The models as scorers. All borrow the parameters and remember keys, values and states of their texts.

/// The decoder over the encoder's output `memory` [batch, token, width]; `lengths`: tokens of each recording,
/// empty if none is padded. Requires `architecture.decoder`.
std::unique_ptr<TokenScorer> decoderScorer(const Parameters& parameters, const Architecture& architecture,
                                           const at::Tensor& memory,
                                           const std::vector<std::int64_t>& lengths, std::int64_t maximum);

/// The decoder's internal language model (Meng et al. 2021): the encoder's output is one row of zeros, so
/// that cross-attention gives W_O b_V + b_O. `texts` side by side.
std::unique_ptr<TokenScorer> internalScorer(const Parameters& parameters, const Architecture& architecture,
                                            std::int64_t texts, std::int64_t maximum);

/// A language model. Requires `architecture.languageModel`. `texts` side by side.
std::unique_ptr<TokenScorer> languageModelScorer(const Parameters& parameters,
                                                 const Architecture& architecture, std::int64_t texts);

/// A language model after one text, for searches whose texts have different lengths. Immutable; one thread at
/// a time.
class TextScorer {
public:
    virtual ~TextScorer() = default;
    virtual const std::vector<float>& next() const = 0; ///< ln P of each token that may follow
    virtual std::shared_ptr<const TextScorer> extended(int token) const = 0;
};
/// Returns the language model after </s>, which starts every text. Requires `architecture.languageModel`.
std::shared_ptr<const TextScorer> languageModelText(const Parameters& parameters,
                                                    const Architecture& architecture);

} // namespace headroom::models
