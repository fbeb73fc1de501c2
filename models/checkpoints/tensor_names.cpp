// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/checkpoints/tensor_names.h"

#include "models/attention/attention_plan.h"

#include <utility>

namespace headroom::models {
namespace {

class NameList {
public:
    void add(const std::string& name, std::vector<std::int64_t> shape, bool buffer = false) {
        m_list.push_back({name, std::move(shape), buffer});
    }
    void linear(const std::string& name, std::int64_t out, std::int64_t in, bool bias = true) {
        weighted(name, {out, in}, bias);
    }
    void weighted(const std::string& name, std::vector<std::int64_t> shape, bool bias = true) {
        const std::int64_t out = shape.front();
        add(name + ".weight", std::move(shape));
        if (bias)
            add(name + ".bias", {out});
    }
    void norm(const std::string& name, std::int64_t width) {
        add(name + ".weight", {width});
        add(name + ".bias", {width});
    }
    void batchNorm(const std::string& name, std::int64_t width) {
        norm(name, width);
        add(name + ".running_mean", {width}, true);
        add(name + ".running_var", {width}, true);
    }
    void attention(const std::string& layer, const AttentionPlan& plan, bool bias) {
        for (const AttentionTensor& tensor : attentionTensors(plan, bias))
            add(layer + "." + tensor.name, tensor.shape);
    }
    void feedForward(const std::string& name, std::int64_t width, std::int64_t hidden, bool bias = true) {
        linear(name + ".fc1", hidden, width, bias);
        linear(name + ".fc2", width, hidden, bias);
    }
    std::vector<ExpectedTensor> take() { return std::move(m_list); }

private:
    std::vector<ExpectedTensor> m_list;
};

std::string numbered(const std::string& name, std::size_t index) {
    return name + "." + std::to_string(index);
}

void addWaveform(NameList& names, const Architecture& architecture) {
    const Architecture::FrontEnd& frontEnd = architecture.frontEnd;
    const std::string place = "model.encoder.conv.";
    std::int64_t in = 1;
    for (std::size_t i = 0; i < frontEnd.kernels.size(); ++i) {
        const std::int64_t out = frontEnd.planes.at(i);
        names.weighted(numbered(place + "conv_layers", i), {out, in, frontEnd.kernels[i]}, frontEnd.bias);
        if (frontEnd.norm == FrontEndNorm::Layer || (frontEnd.norm == FrontEndNorm::Group && i == 0))
            names.norm(numbered(place + "norms", i), out);
        in = out;
    }
    if (frontEnd.projectionNorm)
        names.norm(place + "projection_norm", in);
    names.linear(place + "projection", architecture.encoder.width, in);
}

/// What makes positions, and the norm behind them.
void addPositions(NameList& names, const Architecture& architecture) {
    const Architecture::Encoder& encoder = architecture.encoder;
    const std::int64_t width = encoder.width;
    if (const auto& positional = encoder.positionalConvolution) {
        if (positional->norm == PositionalNorm::Batch)
            names.batchNorm("model.encoder.positions.batch_norm", width);
        for (std::size_t i = 0; i < static_cast<std::size_t>(positional->layers); ++i) {
            const std::string name = numbered("model.encoder.positions", i);
            const std::vector<std::int64_t> shape{width, width / positional->groups, positional->kernel};
            if (positional->weightNorm) {
                names.add(name + ".weight_v", shape);
                names.add(name + ".weight_g", {1, 1, positional->kernel});
            } else
                names.add(name + ".weight", shape);
            names.add(name + ".bias", {width});
        }
    }
    if (const auto& bias = encoder.relativeBias)
        names.add("model.encoder.relative_bias.weight", {bias->buckets, encoder.layers.front().headCount()});
    if (encoder.inputNorm)
        names.norm("model.encoder.input_norm", width);
    if (encoder.positions == Positions::Learnt)
        names.add("model.encoder.patch_positions", {1, architecture.frontEnd.computedTokens(0), width});
    if (encoder.positions == Positions::Stored)
        names.add("model.encoder.embed_positions.weight",
                  {architecture.frontEnd.kind == FrontEndKind::Text ? architecture.decoder->places
                                                                    : architecture.frontEnd.computedTokens(0),
                   width},
                  true);
}

void addFrontEnd(NameList& names, const Architecture& architecture) {
    const Architecture::FrontEnd& frontEnd = architecture.frontEnd;
    if (frontEnd.kind == FrontEndKind::Waveform)
        return addWaveform(names, architecture);
    if (frontEnd.kind == FrontEndKind::Text) { // without a vocabulary of its own the decoder's embedding
        if (frontEnd.vocabulary > 0)
            names.add("model.encoder.embed_tokens.weight", {frontEnd.vocabulary, architecture.encoder.width});
        return;
    }
    if (frontEnd.kind == FrontEndKind::Linear) {
        names.norm("model.encoder.conv.projection_norm", frontEnd.features);
        names.linear("model.encoder.conv.projection", architecture.encoder.width, frontEnd.features);
        return;
    }
    if (frontEnd.kind == FrontEndKind::Patches) {
        const std::int64_t size = frontEnd.kernels.front(), out = architecture.encoder.width;
        names.weighted("model.encoder.conv.conv_layers.0", {out, 1, size, size});
        for (int n = 0; n < frontEnd.classTokens; ++n)
            names.add("model.encoder.conv.class_tokens." + std::to_string(n), {1, 1, out});
        return;
    }
    const bool flat = frontEnd.kind == FrontEndKind::Conv1d;
    const bool depthwise = frontEnd.kind == FrontEndKind::Depthwise2d;
    const bool gated = frontEnd.activation == FrontEndActivation::Glu;
    const std::int64_t width = architecture.encoder.width;
    const std::string place = "model.encoder.conv.";
    std::int64_t in = flat ? frontEnd.features : 1, features = frontEnd.features;
    for (std::size_t i = 0; i < frontEnd.kernels.size(); ++i) {
        const std::int64_t kernel = frontEnd.kernels[i];
        const bool last = i + 1 == frontEnd.kernels.size();
        // GLU halves what a convolution gives, so the last one gives twice the width.
        const std::int64_t out = !flat   ? frontEnd.planes.at(i)
                                 : !last ? frontEnd.channels
                                 : gated ? 2 * width
                                         : width;
        std::vector<std::int64_t> shape{out, depthwise ? 1 : in, kernel};
        if (!flat)
            shape.push_back(kernel);
        names.weighted(numbered(place + "conv_layers", i), std::move(shape));
        if (depthwise && i > 0)
            names.weighted(numbered(place + "pointwise", i), {out, in, 1, 1});
        if (frontEnd.norm == FrontEndNorm::Batch)
            names.batchNorm(numbered(place + "norms", i), out);
        in = gated ? out / 2 : out;
        features = (features + 2 * frontEnd.padding(i) - kernel) / frontEnd.strides[i] + 1;
    }
    if (!flat)
        names.linear(place + "projection", width, in * features);
    else if (frontEnd.projection)
        names.linear(place + "projection", width, width);
}

void addConformerLayer(NameList& names, const std::string& layer, const Architecture::Encoder& encoder,
                       const AttentionPlan& plan) {
    const std::int64_t width = encoder.width;
    const Architecture::Convolution& convolution = encoder.convolution.value();
    names.norm(layer + ".ffn1_layer_norm", width);
    names.feedForward(layer + ".ffn1", width, encoder.feedForward, encoder.feedForwardBias);
    names.norm(layer + ".self_attn_layer_norm", width);
    names.attention(layer, plan, encoder.queryKeyValueBias);
    const std::string module = layer + ".conv_module";
    names.norm(module + ".layer_norm", width);
    names.weighted(module + ".pointwise_conv1", {2 * width, width, 1}, convolution.bias);
    names.weighted(module + ".depthwise_conv", {width, 1, convolution.kernel}, convolution.depthwiseBias);
    if (convolution.norm == ConvolutionNorm::Batch)
        names.batchNorm(module + ".batch_norm", width);
    else
        names.norm(module + ".norm", width);
    names.weighted(module + ".pointwise_conv2", {width, width, 1}, convolution.bias);
    names.norm(layer + ".ffn2_layer_norm", width);
    names.feedForward(layer + ".ffn2", width, encoder.feedForward, encoder.feedForwardBias);
    names.norm(layer + ".final_layer_norm", width);
}

void addBranchformerLayer(NameList& names, const std::string& layer, const Architecture::Encoder& encoder,
                          const AttentionPlan& plan) {
    const std::int64_t width = encoder.width;
    const Architecture::GatedBranch& branch = encoder.branch.value();
    const auto feedForward = [&](const std::string& name) {
        if (encoder.feedForward == 0)
            return;
        names.norm(layer + name + "_layer_norm", width);
        names.feedForward(layer + name, width, encoder.feedForward, encoder.feedForwardBias);
    };
    feedForward(".ffn1");
    names.norm(layer + ".self_attn_layer_norm", width);
    names.attention(layer, plan, encoder.queryKeyValueBias);
    names.norm(layer + ".gated_layer_norm", width);
    names.linear(layer + ".gated.linear_1", branch.units, width);
    names.norm(layer + ".gated.gate_norm", branch.units / 2);
    names.weighted(layer + ".gated.gate_conv", {branch.units / 2, 1, branch.kernel});
    names.linear(layer + ".gated.linear_2", width, branch.units / 2);
    if (branch.mergeKernel > 0)
        names.weighted(layer + ".merge.conv", {2 * width, 1, branch.mergeKernel});
    names.linear(layer + ".merge.proj", width, 2 * width);
    feedForward(".ffn2");
    names.norm(layer + ".final_layer_norm", width);
}

void addEncoder(NameList& names, const Architecture& architecture) {
    const Architecture::Encoder& encoder = architecture.encoder;
    addFrontEnd(names, architecture);
    addPositions(names, architecture);
    std::size_t index = 0;
    for (const AttentionPlan& plan : attentionPlans(encoder, architecture.name)) {
        const std::string layer = numbered("model.encoder.layers", index++);
        if (encoder.kind == EncoderKind::Conformer) {
            addConformerLayer(names, layer, encoder, plan);
            continue;
        }
        if (encoder.kind == EncoderKind::Branchformer) {
            addBranchformerLayer(names, layer, encoder, plan);
            continue;
        }
        names.attention(layer, plan, encoder.queryKeyValueBias);
        names.norm(layer + ".self_attn_layer_norm", encoder.width);
        names.feedForward(layer, encoder.width, encoder.feedForward, encoder.feedForwardBias);
        names.norm(layer + ".final_layer_norm", encoder.width);
        if (encoder.adapters > 0) {
            names.norm(layer + ".adapter.norm", encoder.width);
            names.linear(layer + ".adapter.linear_1", encoder.adapters, encoder.width);
            names.linear(layer + ".adapter.linear_2", encoder.width, encoder.adapters);
        }
    }
    if (encoder.normsOutput())
        names.norm("model.encoder.layer_norm", encoder.width);
}

/// A block of full or masked heads, whose tensors do not depend on how many they are: keys and values from
/// vectors of `memory` numbers.
void addAttention(NameList& names, const std::string& name, std::int64_t width, std::int64_t memory,
                  bool keyBias = true) {
    names.weighted(name + ".k_proj", {width, memory}, keyBias);
    names.linear(name + ".v_proj", width, memory);
    names.linear(name + ".q_proj", width, width);
    names.linear(name + ".out_proj", width, width);
}

/// What stands between the encoder and a CTC output.
void addBeforeOutput(NameList& names, const Architecture& architecture) {
    const Architecture::Encoder& encoder = architecture.encoder;
    if (architecture.intermediateFeedForward)
        names.feedForward("model.intermediate_ffn", encoder.width, encoder.feedForward,
                          encoder.feedForwardBias);
    if (!architecture.lengthAdapter)
        return;
    const Architecture::LengthAdapter& adapter = *architecture.lengthAdapter;
    const std::int64_t width = adapter.width;
    if (width != encoder.width) {
        names.linear("model.adapter.proj", width, encoder.width);
        names.norm("model.adapter.proj_layer_norm", width);
    }
    for (std::size_t l = 0; l < static_cast<std::size_t>(adapter.layers); ++l) {
        const std::string layer = numbered("model.adapter.layers", l);
        for (const char* branch : {".residual", ".self_attn"}) {
            names.norm(layer + branch + "_layer_norm", width);
            names.weighted(layer + branch + "_conv", {2 * width, width, adapter.kernel});
        }
        addAttention(names, layer + ".self_attn", width, width);
        names.norm(layer + ".ffn_layer_norm", width);
        names.feedForward(layer + ".ffn", width, adapter.feedForward);
    }
}

void addDecoder(NameList& names, const Architecture& architecture, bool tied) {
    const Architecture::Decoder& decoder = *architecture.decoder;
    names.add("model.decoder.embed_tokens.weight", {architecture.vocabulary, decoder.width});
    if (decoder.positions == TextPositions::Learnt)
        names.add("model.decoder.embed_positions.weight", {decoder.places, decoder.width});
    for (int l = 0; l < decoder.layers; ++l) {
        const std::string layer = "model.decoder.layers." + std::to_string(l);
        addAttention(names, layer + ".self_attn", decoder.width, decoder.width, decoder.keyBias);
        names.norm(layer + ".self_attn_layer_norm", decoder.width);
        addAttention(names, layer + ".encoder_attn", decoder.width, architecture.encoder.width, decoder.keyBias);
        names.norm(layer + ".encoder_attn_layer_norm", decoder.width);
        names.feedForward(layer, decoder.width, decoder.feedForward);
        names.norm(layer + ".final_layer_norm", decoder.width);
    }
    if (decoder.norm != NormPlace::Post)
        names.norm("model.decoder.layer_norm", decoder.width);
    if (!tied && !decoder.tiedEmbeddings)
        names.add("lm_head.weight", {architecture.vocabulary, decoder.width});
}

void addLanguageModel(NameList& names, const Architecture& architecture) {
    const Architecture::LanguageModel& model = *architecture.languageModel;
    const std::int64_t width = model.width;
    names.add("model.embed_tokens.weight", {architecture.vocabulary, width});
    if (model.kind == LanguageModelKind::Lstm) {
        for (int l = 0; l < model.layers; ++l) {
            const std::string layer = "model.lstm." + std::to_string(l);
            names.add(layer + ".weight_ih", {4 * width, width});
            names.add(layer + ".weight_hh", {4 * width, width});
            names.add(layer + ".bias_ih", {4 * width});
            names.add(layer + ".bias_hh", {4 * width});
        }
    } else {
        for (int l = 0; l < model.layers; ++l) {
            const std::string layer = "model.layers." + std::to_string(l);
            addAttention(names, layer + ".self_attn", width, width);
            names.norm(layer + ".self_attn_layer_norm", width);
            names.feedForward(layer, width, model.feedForward);
            names.norm(layer + ".final_layer_norm", width);
        }
        if (model.norm != NormPlace::Post)
            names.norm("model.layer_norm", width);
    }
    if (!model.tiedEmbeddings)
        names.add("lm_head.weight", {architecture.vocabulary, width});
}

} // namespace

std::vector<ExpectedTensor> expectedTensors(const Architecture& architecture, bool tied) {
    NameList names;
    if (architecture.languageModel) {
        addLanguageModel(names, architecture);
        return names.take();
    }
    addEncoder(names, architecture);
    addBeforeOutput(names, architecture);
    if (architecture.decoder)
        addDecoder(names, architecture, tied);
    if (architecture.ctc)
        names.linear("ctc", *architecture.ctc, architecture.outputWidth());
    return names.take();
}

bool isTableOfPositions(const std::string& name) {
    return name == "model.encoder.embed_positions.weights" || name == "model.decoder.embed_positions.weights";
}

} // namespace headroom::models
