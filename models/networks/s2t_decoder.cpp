// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/networks/s2t_decoder.h"

#include "models/layers/basic.h"
#include "models/layers/decoder_layer.h"
#include "models/layers/positions.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/embedding.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/tensor.h>

#include <cmath>

namespace headroom::models {

struct S2tDecoder::Implementation {
    const Parameters& parameters;
    at::Tensor memory; // [batch, token, width]
    DecoderLayerPlan plan;
    DecoderContexts contexts;
    Dropout dropout;
    DecoderObservers observers;
    std::vector<std::int64_t> fed; // tokens of each recording so far, <pad> not counted
    std::vector<DecoderLayerCache> caches;
};

S2tDecoder::S2tDecoder(const Parameters& parameters, const Architecture& architecture,
                       const at::Tensor& memory, const std::vector<std::int64_t>& lengths,
                       const Dropout& dropout) {
    const Architecture::Decoder& decoder = architecture.decoder.value();
    const bool postNorm = decoder.norm == "post";
    AttentionContext::Options options;
    options.training = dropout.training;
    m.reset(new Implementation{
        parameters,
        memory,
        {maskedAttentionPlan(decoder.selfAttention, decoder.width, postNorm, architecture.name),
         crossAttentionPlan(decoder.crossAttention, decoder.width, postNorm, architecture.name),
         activationOf(decoder.activation)},
        {AttentionContext({}, 0, options), AttentionContext(lengths, memory.size(1), options)},
        dropout,
        {},
        {},
        {}});
    m->fed.resize(static_cast<std::size_t>(memory.size(0)));
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
    const std::int64_t width = table.size(1);
    const auto batch = static_cast<std::int64_t>(tokens.size());
    const auto targets = static_cast<std::int64_t>(tokens.front().size());

    std::vector<std::int64_t> ids, positions;
    for (std::size_t row = 0; row < tokens.size(); ++row)
        for (const int token : tokens[row]) {
            ids.push_back(token);
            positions.push_back(token == kPaddingIndex ? kPaddingIndex : ++m->fed[row] + kPaddingIndex);
        }
    const at::Tensor rows = sinusoidalPositions(positions, width).to(table.scalar_type());
    at::Tensor x = at::embedding(table, at::tensor(ids, at::kLong), kPaddingIndex) // [batch · target, width]
                       .mul_(std::sqrt(static_cast<double>(width)))
                       .add_(rows)
                       .view({batch, targets, width});
    x = dropped(x, m->dropout.hidden);
    for (std::size_t layer = 0; layer < m->caches.size(); ++layer)
        x = decoderLayer(decoder / "layers" / static_cast<int>(layer), x, m->memory, m->plan, m->contexts,
                         m->caches[layer],
                         m->observers ? m->observers(static_cast<int>(layer) + 1) : DecoderLayerObservers(),
                         m->dropout);
    if (!m->plan.self.postNorm)
        x = layerNorm(decoder / "layer_norm", x); // [batch, target, width]
    // A model without an output projection of its own uses the embedding, tied.
    const char* output = "lm_head.weight";
    return at::linear(x, m->parameters.contains(output) ? m->parameters.get(output)
                                                        : table); // [batch, target, vocabulary]
}

} // namespace headroom::models
