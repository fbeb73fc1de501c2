// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/checkpoints/tensor_names.h"

#include "models/attention/attention_plan.h"

#include <utility>

namespace headroom::models {
namespace {

class NameList {
public:
    void add(const std::string& name, std::vector<std::int64_t> shape) {
        m_list.push_back({name, std::move(shape)});
    }
    void linear(const std::string& name, std::int64_t out, std::int64_t in, bool bias = true) {
        add(name + ".weight", {out, in});
        if (bias)
            add(name + ".bias", {out});
    }
    void norm(const std::string& name, std::int64_t width) {
        add(name + ".weight", {width});
        add(name + ".bias", {width});
    }
    void attention(const std::string& name, std::int64_t width, bool bias) {
        linear(name + ".k_proj", width, width, bias);
        linear(name + ".v_proj", width, width, bias);
        linear(name + ".q_proj", width, width, bias);
        linear(name + ".out_proj", width, width);
    }
    void feedForward(const std::string& layer, std::int64_t width, std::int64_t hidden) {
        linear(layer + ".fc1", hidden, width);
        linear(layer + ".fc2", width, hidden);
        norm(layer + ".final_layer_norm", width);
    }
    std::vector<ExpectedTensor> take() { return std::move(m_list); }

private:
    std::vector<ExpectedTensor> m_list;
};

} // namespace

std::vector<ExpectedTensor> expectedTensors(const Architecture& architecture, bool tied) {
    NameList names;
    const Architecture::FrontEnd& frontEnd = architecture.frontEnd;
    const Architecture::Encoder& encoder = architecture.encoder;
    const std::int64_t width = encoder.width;

    std::int64_t in = frontEnd.features;
    for (std::size_t i = 0; i < frontEnd.kernels.size(); ++i) {
        const std::string name = "model.encoder.conv.conv_layers." + std::to_string(i);
        // GLU halves what a convolution gives, so the last one gives twice the width.
        const std::int64_t out = i + 1 == frontEnd.kernels.size() ? 2 * width : frontEnd.channels;
        names.add(name + ".weight", {out, in, frontEnd.kernels[i]});
        names.add(name + ".bias", {out});
        in = out / 2;
    }
    for (const AttentionPlan& plan : attentionPlans(encoder, architecture.name)) {
        const std::string layer = "model.encoder.layers." + std::to_string(plan.layer - 1);
        for (AttentionTensor& tensor : attentionTensors(plan, encoder.queryKeyValueBias))
            names.add(layer + "." + tensor.name, std::move(tensor.shape));
        names.norm(layer + ".self_attn_layer_norm", width);
        names.feedForward(layer, width, encoder.feedForward);
    }
    names.norm("model.encoder.layer_norm", width);

    if (architecture.decoder) {
        const Architecture::Decoder& decoder = *architecture.decoder;
        names.add("model.decoder.embed_tokens.weight", {architecture.vocabulary, decoder.width});
        for (int l = 0; l < decoder.layers; ++l) {
            const std::string layer = "model.decoder.layers." + std::to_string(l);
            names.attention(layer + ".self_attn", decoder.width, true);
            names.norm(layer + ".self_attn_layer_norm", decoder.width);
            names.attention(layer + ".encoder_attn", decoder.width, true);
            names.norm(layer + ".encoder_attn_layer_norm", decoder.width);
            names.feedForward(layer, decoder.width, decoder.feedForward);
        }
        names.norm("model.decoder.layer_norm", decoder.width);
        if (!tied)
            names.add("lm_head.weight", {architecture.vocabulary, decoder.width});
    }
    return names.take();
}

bool isTableOfPositions(const std::string& name) {
    return name == "model.encoder.embed_positions.weights" || name == "model.decoder.embed_positions.weights";
}

} // namespace headroom::models
