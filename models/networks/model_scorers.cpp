// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/networks/model_scorers.h"

#include "models/layers/numbers.h"
#include "models/networks/language_model.h"
#include "models/networks/s2t_decoder.h"
#include "models/networks/step_decoder.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/log_softmax.h>
#include <ATen/ops/zeros.h>
#include <c10/core/InferenceMode.h>

#include <limits>

namespace headroom::models {
namespace {

/// A decoder or a language model: both can select rows and be fed one token per row.
template <class Network>
class NetworkScorer final : public TokenScorer {
public:
    NetworkScorer(int vocabulary, std::int64_t maximum, Network network)
        : m_vocabulary(vocabulary)
        , m_maximum(maximum)
        , m_network(std::move(network)) {}

    int vocabulary() const override { return m_vocabulary; }
    std::int64_t maximumTokens() const override { return m_maximum; }

    Matrix<float> extend(std::span<const std::int64_t> parents, std::span<const int> tokens) override {
        const c10::InferenceMode inference;
        m_network.select({parents.begin(), parents.end()});
        std::vector<std::vector<int>> next;
        next.reserve(tokens.size());
        for (const int token : tokens)
            next.push_back({token});
        const at::Tensor logits = m_network.feedBatch(next).select(1, 0); // [row, vocabulary]
        Matrix<float> result(tokens.size(), static_cast<std::size_t>(logits.size(1)));
        at::Tensor rows = at::from_blob(result.values().data(), logits.sizes(), at::kFloat);
        if (logits.is_cpu() && logits.scalar_type() == at::kFloat)
            at::log_softmax_out(rows, logits, -1);
        else
            rows.copy_(at::log_softmax(logits, -1));
        return result;
    }

private:
    int m_vocabulary;
    std::int64_t m_maximum;
    Network m_network;
};

class LanguageModelText final : public TextScorer {
public:
    LanguageModelText(LanguageModel before, int token)
        : m_model(std::move(before))
        , m_next(floatsOf(at::log_softmax(m_model.feed({token}).select(0, 0), -1))) {}
    const std::vector<float>& next() const override { return m_next; }
    std::shared_ptr<const TextScorer> extended(int token) const override {
        const c10::InferenceMode inference;
        return std::make_shared<LanguageModelText>(m_model.copy(), token);
    }

private:
    LanguageModel m_model;
    std::vector<float> m_next;
};

} // namespace

std::shared_ptr<const TextScorer> languageModelText(const Parameters& parameters,
                                                    const Architecture& architecture) {
    const c10::InferenceMode inference;
    return std::make_shared<LanguageModelText>(LanguageModel(parameters, architecture), kEndOfSentence);
}

std::unique_ptr<TokenScorer> decoderScorer(const Parameters& parameters, const Architecture& architecture,
                                           const at::Tensor& memory,
                                           const std::vector<std::int64_t>& lengths, std::int64_t maximum) {
    const c10::InferenceMode inference;
    if (StepDecoder::fits(architecture, memory))
        return std::make_unique<NetworkScorer<StepDecoder>>(
            architecture.vocabulary, maximum, StepDecoder(parameters, architecture, memory, lengths));
    return std::make_unique<NetworkScorer<S2tDecoder>>(
        architecture.vocabulary, maximum, S2tDecoder(parameters, architecture, memory, lengths));
}

std::unique_ptr<TokenScorer> internalScorer(const Parameters& parameters, const Architecture& architecture,
                                            std::int64_t texts, std::int64_t maximum) {
    const c10::InferenceMode inference;
    const at::Tensor& table = parameters.get("model.decoder.embed_tokens.weight");
    const at::Tensor nothing = at::zeros({texts, 1, architecture.encoder.width}, table.options());
    return decoderScorer(parameters, architecture, nothing, {}, maximum);
}

std::unique_ptr<TokenScorer> languageModelScorer(const Parameters& parameters,
                                                 const Architecture& architecture, std::int64_t texts) {
    const c10::InferenceMode inference;
    constexpr auto kUnlimited = std::numeric_limits<std::int64_t>::max();
    if (StepDecoder::fits(architecture, parameters))
        return std::make_unique<NetworkScorer<StepDecoder>>(architecture.vocabulary, kUnlimited,
                                                            StepDecoder(parameters, architecture, texts));
    return std::make_unique<NetworkScorer<LanguageModel>>(architecture.vocabulary, kUnlimited,
                                                          LanguageModel(parameters, architecture, texts));
}

} // namespace headroom::models
