// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/networks/language_model.h"

#include "models/attention/attention_block.h"
#include "models/layers/basic.h"
#include "models/layers/device.h"
#include "models/layers/positions.h"
#include "models/networks/layer_factors.h"
#include "models/networks/s2t_decoder.h"
#include "models/networks/token_embedding.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/index_select.h>
#include <ATen/ops/lerp.h>
#include <ATen/ops/log_softmax.h>
#include <ATen/ops/lstm.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <c10/core/InferenceMode.h>

namespace headroom::models {

struct LanguageModel::Implementation {
    struct LstmState {
        at::Tensor hidden, cell; // [1, batch, width]
    };

    const Parameters& parameters;
    Architecture::LanguageModel shape;
    TokenEmbedding embedding;
    std::vector<AttentionPlan> plans; ///< of a Transformer's layers
    AttentionContext context;
    Dropout dropout;
    std::vector<double> factors;       ///< of a Transformer's layers; empty: 1
    std::vector<KeyValueCache> caches; ///< of a Transformer's layers
    std::vector<LstmState> states;     ///< of an LSTM's

    /// x is [batch, target, width], and so is the result.
    at::Tensor transformer(at::Tensor x, const LayerObservers& beforeLayer = {}, const StateObserver& afterLayer = {}) {
        if (afterLayer)
            afterLayer(0, x);
        const Scope model = Scope(parameters) / "model";
        const Activation activation = shape.activation;
        const bool postNorm = shape.norm == NormPlace::Post;
        for (std::size_t layer = 0; layer < caches.size(); ++layer) {
            const double factor = LayerFactors::of(factors, layer);
            if (factor == 0)
                continue;
            const Scope scope = model / "layers" / static_cast<int>(layer);
            const int number = static_cast<int>(layer) + 1;
            const AttentionPlan& plan = plans[layer];
            const bool isNormedBehind = !postNorm && layer + 1 == caches.size();
            const AttentionObserver observe = beforeLayer ? beforeLayer(number) : AttentionObserver();
            if (observe)
                context.setLayer(
                    [&] {
                        const at::Tensor again = selfAttentionBlock(scope, x, plan, context); // the replacement
                        const at::Tensor output =
                            feedForwardBlock(scope, again, postNorm, activation, dropout);
                        return isNormedBehind ? layerNorm(model / "layer_norm", output) : output;
                    },
                    true);
            at::Tensor y = selfAttentionBlock(scope, x, plan, context, observe, dropout, &caches[layer]);
            context.setLayer({}, false);
            y = feedForwardBlock(scope, y, postNorm, activation, dropout);
            x = factor == 1 ? y : at::lerp(x, y, factor);
            if (afterLayer)
                afterLayer(number, x);
        }
        return postNorm ? x : layerNorm(model / "layer_norm", x);
    }

    at::Tensor lstm(at::Tensor x) { // [batch, target, width], also of the result
        const Scope layers = Scope(parameters) / "model" / "lstm";
        for (std::size_t layer = 0; layer < states.size(); ++layer) {
            const Scope weights = layers / static_cast<int>(layer);
            LstmState& state = states[layer];
            if (!state.hidden.defined())
                state.hidden = state.cell = at::zeros({1, x.size(0), x.size(2)}, x.options());
            const at::TensorList all{weights["weight_ih"], weights["weight_hh"], weights["bias_ih"],
                                     weights["bias_hh"]};
            std::tie(x, state.hidden, state.cell) =
                at::lstm(x, {state.hidden, state.cell}, all, true, 1, 0, dropout.training, false, true);
            x = dropped(x, dropout.hidden);
        }
        return x;
    }
};

LanguageModel::LanguageModel(const Parameters& parameters, const Architecture& architecture,
                             std::int64_t batch, const Dropout& dropout, const LayerFactors* factors) {
    const Architecture::LanguageModel& shape = architecture.languageModel.value();
    const bool isLstm = shape.kind == LanguageModelKind::Lstm;
    AttentionContext::Options options;
    options.training = dropout.training;
    options.relaxation = dropout.relaxation;
    options.device = parameters.get("model.embed_tokens.weight").device();
    m.reset(new Implementation{
        parameters,
        shape,
        TokenEmbedding(
            batch, isLstm ? TokenEmbedding::Positions::None : TokenEmbedding::Positions::Sinusoidal, !isLstm),
        isLstm ? std::vector<AttentionPlan>() : languageModelPlans(shape, architecture.name),
        AttentionContext({}, 0, options),
        dropout,
        factors ? factors->decoder : std::vector<double>(),
        {},
        {}});
    const auto layers = static_cast<std::size_t>(shape.layers);
    if (isLstm)
        m->states.resize(layers);
    else
        m->caches.resize(layers);
}

LanguageModel::LanguageModel(std::unique_ptr<Implementation> implementation) : m(std::move(implementation)) {}
LanguageModel::~LanguageModel() = default;
LanguageModel::LanguageModel(LanguageModel&&) noexcept = default;

void LanguageModel::select(const std::vector<std::int64_t>& rows) {
    const at::Tensor index = sent(at::tensor(rows, at::kLong), m->parameters.get("model.embed_tokens.weight").device());
    for (KeyValueCache& cache : m->caches)
        cache.select(index);
    for (Implementation::LstmState& state : m->states)
        if (state.hidden.defined()) {
            state.hidden = state.hidden.index_select(1, index);
            state.cell = state.cell.index_select(1, index);
        }
    m->embedding.select(rows);
}

LanguageModel LanguageModel::copy() const {
    AttentionContext::Options options = m->context.options();
    return LanguageModel(std::unique_ptr<Implementation>(
        new Implementation{m->parameters, m->shape, m->embedding, m->plans, AttentionContext({}, 0, options),
                           m->dropout, m->factors, m->caches, m->states}));
}

at::Tensor LanguageModel::feed(const std::vector<int>& tokens) {
    return feedBatch({tokens}).squeeze(0);
}

at::Tensor LanguageModel::feedBatch(const std::vector<std::vector<int>>& tokens) {
    const at::Tensor& table = m->parameters.get("model.embed_tokens.weight"); // [vocabulary, width]
    at::Tensor x = dropped(m->embedding.of(tokens, table, {}), m->dropout.hidden);
    x = m->states.empty() ? m->transformer(x) : m->lstm(x); // [batch, target, width]
    return tokenLogits(m->parameters, table, x);            // [batch, target, vocabulary]
}

at::Tensor LanguageModel::states(const std::vector<int>& tokens, const LayerObservers& beforeLayer,
                                 const StateObserver& afterLayer) {
    if (m->shape.kind == LanguageModelKind::Lstm)
        throw Error("model.languageModel", "An LSTM has no attention to analyse.");
    const at::Tensor& table = m->parameters.get("model.embed_tokens.weight"); // [vocabulary, width]
    return m->transformer(dropped(m->embedding.of({tokens}, table, {}), m->dropout.hidden), beforeLayer, afterLayer);
}

std::vector<double> tokenLogProbabilities(const Parameters& parameters, const Architecture& architecture,
                                          const std::vector<int>& tokens) {
    const c10::InferenceMode inference;
    std::vector<int> inputs{kEndOfSentence};
    for (const int token : tokens) {
        if (token < 0 || token >= architecture.vocabulary)
            throw Error("model.badTokens",
                        architecture.name + " has tokens 0 to " +
                            std::to_string(architecture.vocabulary - 1) + ", but got " +
                            std::to_string(token) + ".",
                        {{"token", token}});
        inputs.push_back(token);
    }
    inputs.pop_back(); // nothing follows the last
    if (tokens.empty())
        return {};
    const at::Tensor rows = at::log_softmax(LanguageModel(parameters, architecture).feed(inputs), -1,
                                            at::kDouble); // [target, vocabulary]
    std::vector<double> values;
    for (std::size_t t = 0; t < tokens.size(); ++t)
        values.push_back(rows[static_cast<std::int64_t>(t)][tokens[t]].item<double>());
    return values;
}

} // namespace headroom::models
