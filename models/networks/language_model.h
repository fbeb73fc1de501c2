// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"
#include "models/layers/dropout.h"
#include "models/layers/parameters.h"
#include "models/networks/s2t_encoder.h"

#include <memory>
#include <vector>

namespace headroom::models {

struct LayerFactors;

/// A language model over the vocabulary of a decoder (Lohrenz et al. 2022, A.3): a Transformer of masked
/// heads, or an LSTM. Accepts any number of tokens at a time and remembers the previous ones. Borrows the
/// parameters. Not thread-safe.
class LanguageModel {
public:
    /// `batch` texts side by side. Requires `architecture.languageModel`. Throws Error "model.kindNotBuilt"
    /// for unsupported heads. `factors`: of a Transformer's layers, in training; null: each counts whole.
    LanguageModel(const Parameters& parameters, const Architecture& architecture, std::int64_t batch = 1,
                  const Dropout& dropout = {}, const LayerFactors* factors = nullptr);
    ~LanguageModel();
    LanguageModel(LanguageModel&&) noexcept;
    /// Row r continues what row `rows[r]` was fed. Rows may repeat or be left out.
    void select(const std::vector<std::int64_t>& rows);
    /// Returns an independent copy with the texts so far. Cheap: the tensors are shared.
    LanguageModel copy() const;
    /// Returns logits [batch, target, vocabulary] for what follows each token: a row for each text, of equal
    /// length, padded with <pad> after the text.
    at::Tensor feedBatch(const std::vector<std::vector<int>>& tokens);
    /// Returns logits [target, vocabulary] of a single text.
    at::Tensor feed(const std::vector<int>& tokens);
    /// Feeds a single text to a Transformer; returns what its output layer reads, [1, target, width]. The observers are
    /// as of encodeBatch(). Throws Error "model.languageModel" for an LSTM, which has no attention.
    at::Tensor states(const std::vector<int>& tokens, const LayerObservers& beforeLayer = {},
                      const StateObserver& afterLayer = {});

private:
    struct Implementation;
    explicit LanguageModel(std::unique_ptr<Implementation> implementation);
    std::unique_ptr<Implementation> m;
};

/// Returns ln P of each token given </s>, which starts every text, and the previous tokens; including the
/// final </s> if `tokens` has it. Their sum is ln P of the text. Throws Error "model.badTokens" for a token
/// outside the vocabulary.
std::vector<double> tokenLogProbabilities(const Parameters& parameters, const Architecture& architecture,
                                          const std::vector<int>& tokens);

} // namespace headroom::models
