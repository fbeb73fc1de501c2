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
    at::Tensor memory; // [1, token, width]
    std::int64_t heads;
    std::int64_t fed = 0; // tokens so far, <pad> not counted
    std::vector<DecoderLayerCache> caches;
};

S2tDecoder::S2tDecoder(const Parameters& parameters, const Architecture& architecture,
                       const at::Tensor& memory) {
    const Architecture::Decoder& decoder = architecture.decoder.value();
    std::int64_t heads = 0;
    for (const HeadGroup& group : decoder.selfAttention)
        heads += group.count;
    m.reset(new Implementation{parameters, memory, heads, 0, {}});
    m->caches.resize(static_cast<std::size_t>(decoder.layers));
}

S2tDecoder::~S2tDecoder() = default;

at::Tensor S2tDecoder::feed(const std::vector<int>& tokens) {
    const Scope decoder = Scope(m->parameters) / "model" / "decoder";
    const at::Tensor& table = decoder["embed_tokens.weight"]; // [vocabulary, width]
    const std::int64_t width = table.size(1);

    std::vector<std::int64_t> positions;
    for (const int token : tokens)
        positions.push_back(token == kPaddingIndex ? kPaddingIndex : ++m->fed + kPaddingIndex);
    at::Tensor x = at::embedding(table, at::tensor(tokens, at::kLong)) // [target, width]
                       .mul_(std::sqrt(static_cast<double>(width)))
                       .add_(sinusoidalPositions(positions, width).to(table.scalar_type()))
                       .unsqueeze(0); // [1, target, width]
    for (std::size_t layer = 0; layer < m->caches.size(); ++layer)
        x = decoderLayer(decoder / "layers" / static_cast<int>(layer), x, m->memory, m->heads,
                         m->caches[layer]);
    x = layerNorm(decoder / "layer_norm", x).squeeze(0); // [target, width]
    // A model without an output projection of its own uses the embedding, tied.
    const char* output = "lm_head.weight";
    return at::linear(x, m->parameters.contains(output) ? m->parameters.get(output)
                                                        : table); // [target, vocabulary]
}

} // namespace headroom::models
