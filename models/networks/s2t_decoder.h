// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"
#include "models/networks/decoder_layer.h"

#include <functional>
#include <memory>
#include <vector>

namespace headroom::models {

struct LayerFactors;

inline constexpr int kEndOfSentence = 2; ///< </s>: ends a hypothesis, and starts the decoder

/// Called before each layer (from 1) of every feed. Returns its observers, or empty ones. May throw to stop.
using DecoderObservers = std::function<DecoderLayerObservers(int layer)>;

/// The decoder over the recordings of a batch. Accepts any number of tokens at a time and remembers the
/// previous ones (key–value cache). Borrows the parameters. Not thread-safe.
class S2tDecoder {
public:
    /// `memory`: the encoder's output [batch, token, width]; `lengths`: tokens of each recording, empty if
    /// none is padded. `factors`: of its layers, in training; null: each counts whole. They are copied.
    S2tDecoder(const Parameters& parameters, const Architecture& architecture, const at::Tensor& memory,
               const std::vector<std::int64_t>& lengths = {}, const Dropout& dropout = {},
               const LayerFactors* factors = nullptr);
    ~S2tDecoder();
    S2tDecoder(S2tDecoder&&) noexcept;
    /// Row r continues what row `rows[r]` was fed, on the same recording. Rows may repeat or be left out.
    void select(const std::vector<std::int64_t>& rows);
    /// Returns logits [batch, target, vocabulary] for the next tokens: a row for each recording, of equal
    /// length, padded with <pad> after the text. `ids` [batch, target]: the tokens on the device of the memory, if the host does
    /// not know them; `tokens` then only say where <pad> is.
    at::Tensor feedBatch(const std::vector<std::vector<int>>& tokens, const at::Tensor& ids = {});
    /// Sets the observers of the layers for the following feeds.
    void observe(DecoderObservers observers);
    /// Returns logits [target, vocabulary] for the next tokens of a single recording.
    at::Tensor feed(const std::vector<int>& tokens);

private:
    struct Implementation;
    std::unique_ptr<Implementation> m;
};

} // namespace headroom::models
