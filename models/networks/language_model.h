// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"
#include "models/layers/dropout.h"
#include "models/layers/parameters.h"

#include <memory>
#include <vector>

namespace headroom::models {

/// A language model over the vocabulary of a decoder (Lohrenz et al. 2022, A.3): a Transformer of masked
/// heads, or an LSTM. Fed any number of tokens at a time; it remembers those before. Borrows the parameters.
/// One thread.
class LanguageModel {
public:
    /// `batch` texts side by side. `architecture.languageModel` is there. Throws Error "model.kindNotBuilt"
    /// for heads that a language model does not run.
    LanguageModel(const Parameters& parameters, const Architecture& architecture, std::int64_t batch = 1,
                  const Dropout& dropout = {});
    ~LanguageModel();
    /// Logits [batch, target, vocabulary] for what follows each token: a row for each text, all equally long,
    /// padded with <pad> behind the text.
    at::Tensor feedBatch(const std::vector<std::vector<int>>& tokens);
    /// Logits [target, vocabulary] of a single text.
    at::Tensor feed(const std::vector<int>& tokens);

private:
    struct Implementation;
    std::unique_ptr<Implementation> m;
};

/// ln P of each token given </s>, which starts every text, and the tokens before it; with the final </s>
/// where `tokens` holds it. Their sum is the text's. Throws Error "model.badTokens" for a token outside the
/// vocabulary.
std::vector<double> tokenLogProbabilities(const Parameters& parameters, const Architecture& architecture,
                                          const std::vector<int>& tokens);

} // namespace headroom::models
