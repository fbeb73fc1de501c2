// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/networks/s2t_decoder.h"

#include "models/layers/basic.h"
#include "models/layers/device.h"
#include "models/networks/decoder_layer.h"
#include "models/networks/layer_factors.h"
#include "models/networks/token_embedding.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/index_select.h>
#include <ATen/ops/lerp.h>
#include <ATen/ops/tensor.h>

#include <numeric>

namespace headroom::models {

struct S2tDecoder::Implementation {
    const Parameters& parameters;
    at::Tensor memory; // [batch, token, width]
    DecoderLayerPlan plan;
    DecoderContexts contexts;
    Dropout dropout;
    std::vector<double> factors; // of the layers; empty: 1
    DecoderObservers observers;
    TokenEmbedding embedding;
    std::vector<DecoderLayerCache> caches;
    std::vector<std::int64_t> lengths;    // of the recordings as constructed; empty if none is padded
    std::vector<std::int64_t> recordings; // of each row
};

S2tDecoder::S2tDecoder(const Parameters& parameters, const Architecture& architecture,
                       const at::Tensor& memory, const std::vector<std::int64_t>& lengths,
                       const Dropout& dropout, const LayerFactors* factors) {
    const Architecture::Decoder& decoder = architecture.decoder.value();
    const bool postNorm = decoder.norm == NormPlace::Post;
    AttentionContext::Options options;
    options.training = dropout.training;
    options.relaxation = dropout.relaxation;
    options.drawn = dropout.drawn;
    options.device = memory.device();
    m.reset(new Implementation{
        parameters,
        memory,
        {maskedAttentionPlan(decoder.selfAttention, decoder.width, postNorm, architecture.name),
         crossAttentionPlan(decoder.crossAttention, decoder.width, postNorm, architecture.name),
         decoder.activation},
        {AttentionContext({}, 0, options), AttentionContext(lengths, memory.size(1), options)},
        dropout,
        factors ? factors->decoder : std::vector<double>(),
        {},
        TokenEmbedding(memory.size(0),
                       decoder.positions == TextPositions::Learnt ? TokenEmbedding::Positions::Learnt
                                                                  : TokenEmbedding::Positions::Sinusoidal,
                       decoder.scaledEmbeddings),
        {},
        lengths,
        {}});
    m->caches.resize(static_cast<std::size_t>(decoder.layers));
    m->recordings.resize(static_cast<std::size_t>(memory.size(0)));
    std::iota(m->recordings.begin(), m->recordings.end(), 0);
}

S2tDecoder::~S2tDecoder() = default;
S2tDecoder::S2tDecoder(S2tDecoder&&) noexcept = default;

void S2tDecoder::select(const std::vector<std::int64_t>& rows) {
    std::vector<std::int64_t> recordings;
    for (const std::int64_t row : rows)
        recordings.push_back(m->recordings.at(static_cast<std::size_t>(row)));
    const at::Tensor index = sent(at::tensor(rows, at::kLong), m->memory.device());
    // In most steps of a search, rows move within their recording: the encoder's side stays as it is.
    const bool moved = recordings != m->recordings;
    for (DecoderLayerCache& cache : m->caches) {
        cache.self.select(index);
        if (moved)
            cache.cross.select(index);
    }
    m->embedding.select(rows);
    if (!moved)
        return;
    m->memory = m->memory.index_select(0, index);
    m->recordings = std::move(recordings);
    if (!m->lengths.empty()) {
        std::vector<std::int64_t> lengths;
        for (const std::int64_t recording : m->recordings)
            lengths.push_back(m->lengths[static_cast<std::size_t>(recording)]);
        m->contexts.cross =
            AttentionContext(std::move(lengths), m->memory.size(1), m->contexts.cross.options());
    }
}

void S2tDecoder::observe(DecoderObservers observers) {
    m->observers = std::move(observers);
}

at::Tensor S2tDecoder::feed(const std::vector<int>& tokens) {
    return feedBatch({tokens}).squeeze(0);
}

at::Tensor S2tDecoder::feedBatch(const std::vector<std::vector<int>>& tokens, const at::Tensor& ids) {
    const Scope decoder = Scope(m->parameters) / "model" / "decoder";
    const at::Tensor& table = decoder["embed_tokens.weight"]; // [vocabulary, width]
    const at::Tensor places =
        decoder.has("embed_positions.weight") ? decoder["embed_positions.weight"] : at::Tensor();
    at::Tensor x = m->embedding.of(tokens, table, places, ids); // [batch, target, width]
    x = dropped(x, m->dropout.hidden);
    for (std::size_t layer = 0; layer < m->caches.size(); ++layer) {
        const double factor = LayerFactors::of(m->factors, layer);
        if (factor == 0)
            continue;
        DecoderLayerObservers observers;
        if (m->observers) {
            observers = m->observers(static_cast<int>(layer) + 1);
            for (AttentionObserver* observer : {&observers.self, &observers.cross})
                if (!*observer) // one observed layer keeps all explicit, as in the encoder
                    *observer = [](const AttentionStep&) {};
            if (layer + 1 == m->caches.size() && !m->plan.self.postNorm)
                observers.behind = [&](const at::Tensor& y) { return layerNorm(decoder / "layer_norm", y); };
        }
        const at::Tensor output =
            decoderLayer(decoder / "layers" / static_cast<int>(layer), x, m->memory, m->plan, m->contexts,
                         m->caches[layer], observers, m->dropout);
        x = factor == 1 ? output : at::lerp(x, output, factor);
    }
    if (!m->plan.self.postNorm)
        x = layerNorm(decoder / "layer_norm", x); // [batch, target, width]
    return tokenLogits(m->parameters, table, x);  // [batch, target, vocabulary]
}

} // namespace headroom::models
