// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/networks/model_scorers.h"

#include "models/layers/numbers.h"
#include "models/networks/language_model.h"
#include "models/networks/s2t_decoder.h"
#include "models/networks/step_decoder.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/cat.h>
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

    Network& network() { return m_network; }

private:
    int m_vocabulary;
    std::int64_t m_maximum;
    Network m_network;
};

/// A decoder that keeps its cross-attention when asked.
class DecoderScorer final : public TokenScorer {
public:
    DecoderScorer(const Architecture& architecture, std::int64_t maximum, S2tDecoder decoder)
        : m_lastLayer(architecture.decoder->layers)
        , m_network(architecture.vocabulary, maximum, std::move(decoder)) {}

    int vocabulary() const override { return m_network.vocabulary(); }
    std::int64_t maximumTokens() const override { return m_network.maximumTokens(); }
    Matrix<float> extend(std::span<const std::int64_t> parents, std::span<const int> tokens) override {
        return m_network.extend(parents, tokens);
    }
    bool keepAttention() override {
        m_network.network().observe([this](int layer) {
            DecoderLayerObservers observers;
            if (layer == m_lastLayer)
                observers.cross = [this](const AttentionStep& step) { keep(step); };
            return observers;
        });
        return true;
    }
    const Matrix<float>& attention() const override { return m_attention; }

private:
    void keep(const AttentionStep& step) {
        std::vector<at::Tensor> maps; // [row, head, token]
        for (const GroupStep& group : step.groups)
            maps.push_back(group.applied.weights.select(2, -1)); // always dense: its heads are full
        const at::Tensor mean = at::cat(maps, 1).mean(1).to(at::kCPU, at::kFloat).contiguous(); // [row, token]
        m_attention = Matrix<float>(static_cast<std::size_t>(mean.size(0)), static_cast<std::size_t>(mean.size(1)),
                                    floatsOf(mean));
    }

    int m_lastLayer;
    NetworkScorer<S2tDecoder> m_network;
    Matrix<float> m_attention;
};

/// The faster decoder, which has no maps: where attention is kept, the other one takes its place. Borrows what it is made of.
class StepScorer final : public TokenScorer {
public:
    StepScorer(const Parameters& parameters, const Architecture& architecture, const at::Tensor& memory,
               std::vector<std::int64_t> lengths, std::int64_t maximum)
        : m_parameters(parameters)
        , m_architecture(architecture)
        , m_memory(memory)
        , m_lengths(std::move(lengths))
        , m_maximum(maximum) {}

    int vocabulary() const override { return m_architecture.vocabulary; }
    std::int64_t maximumTokens() const override { return m_maximum; }
    Matrix<float> extend(std::span<const std::int64_t> parents, std::span<const int> tokens) override {
        if (!m_scorer) {
            const c10::InferenceMode inference;
            m_scorer = std::make_unique<NetworkScorer<StepDecoder>>(
                vocabulary(), m_maximum, StepDecoder(m_parameters, m_architecture, m_memory, m_lengths));
        }
        return m_scorer->extend(parents, tokens);
    }
    bool keepAttention() override {
        const c10::InferenceMode inference;
        m_scorer = std::make_unique<DecoderScorer>(m_architecture, m_maximum,
                                                   S2tDecoder(m_parameters, m_architecture, m_memory, m_lengths));
        return m_scorer->keepAttention();
    }
    const Matrix<float>& attention() const override {
        return m_scorer ? m_scorer->attention() : TokenScorer::attention();
    }

private:
    const Parameters& m_parameters;
    const Architecture& m_architecture;
    at::Tensor m_memory;
    std::vector<std::int64_t> m_lengths;
    std::int64_t m_maximum;
    std::unique_ptr<TokenScorer> m_scorer; ///< made when first needed
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
    if (!StepDecoder::fits(architecture, memory))
        return std::make_unique<DecoderScorer>(architecture, maximum,
                                               S2tDecoder(parameters, architecture, memory, lengths));
    return std::make_unique<StepScorer>(parameters, architecture, memory, lengths, maximum);
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
