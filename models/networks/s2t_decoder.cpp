// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/networks/s2t_decoder.h"

#include "models/layers/basic.h"
#include "models/networks/decoder_layer.h"
#include "models/networks/token_embedding.h"

#include <ATen/core/Tensor.h>

namespace headroom::models {

struct S2tDecoder::Implementation {
    const Parameters& parameters;
    at::Tensor memory; // [batch, token, width]
    DecoderLayerPlan plan;
    DecoderContexts contexts;
    Dropout dropout;
    DecoderObservers observers;
    TokenEmbedding embedding;
    std::vector<DecoderLayerCache> caches;
};

S2tDecoder::S2tDecoder(const Parameters& parameters, const Architecture& architecture,
                       const at::Tensor& memory, const std::vector<std::int64_t>& lengths,
                       const Dropout& dropout) {
    const Architecture::Decoder& decoder = architecture.decoder.value();
    const bool postNorm = decoder.norm == NormPlace::Post;
    AttentionContext::Options options;
    options.training = dropout.training;
    options.drawn = dropout.drawn;
    m.reset(new Implementation{
        parameters,
        memory,
        {maskedAttentionPlan(decoder.selfAttention, decoder.width, postNorm, architecture.name),
         crossAttentionPlan(decoder.crossAttention, decoder.width, postNorm, architecture.name),
         decoder.activation},
        {AttentionContext({}, 0, options), AttentionContext(lengths, memory.size(1), options)},
        dropout,
        {},
        TokenEmbedding(memory.size(0), true),
        {}});
    m->caches.resize(static_cast<std::size_t>(decoder.layers));
}

S2tDecoder::~S2tDecoder() = default;

void S2tDecoder::observe(DecoderObservers observers) {
    m->observers = std::move(observers);
}

at::Tensor S2tDecoder::feed(const std::vector<int>& tokens) {
    return feedBatch({tokens}).squeeze(0);
}

at::Tensor S2tDecoder::feedBatch(const std::vector<std::vector<int>>& tokens) {
    const Scope decoder = Scope(m->parameters) / "model" / "decoder";
    const at::Tensor& table = decoder["embed_tokens.weight"]; // [vocabulary, width]
    at::Tensor x = m->embedding.of(tokens, table);            // [batch, target, width]
    x = dropped(x, m->dropout.hidden);
    for (std::size_t layer = 0; layer < m->caches.size(); ++layer)
        x = decoderLayer(decoder / "layers" / static_cast<int>(layer), x, m->memory, m->plan, m->contexts,
                         m->caches[layer],
                         m->observers ? m->observers(static_cast<int>(layer) + 1) : DecoderLayerObservers(),
                         m->dropout);
    if (!m->plan.self.postNorm)
        x = layerNorm(decoder / "layer_norm", x); // [batch, target, width]
    return tokenLogits(m->parameters, table, x);  // [batch, target, vocabulary]
}

} // namespace headroom::models
