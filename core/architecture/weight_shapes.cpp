// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/architecture/weight_shapes.h"

#include "core/architecture/cost_shapes.h"

#include <utility>

namespace headroom {
namespace {

class WeightList {
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
    void convolution(const std::string& name, std::int64_t out, std::int64_t in, std::int64_t kernel) { weighted(name, {out, in, kernel}); }
    void attention(const std::string& layer, const std::vector<WeightShape>& block) {
        for (const WeightShape& weight : block)
            add(layer + "." + weight.name, weight.shape);
    }
    void feedForward(const std::string& name, std::int64_t width, std::int64_t hidden, bool bias = true) {
        linear(name + ".fc1", hidden, width, bias);
        linear(name + ".fc2", width, hidden, bias);
    }
    std::vector<WeightShape> take() { return std::move(m_list); }

private:
    std::vector<WeightShape> m_list;
};

std::string numbered(const std::string& name, std::size_t index) {
    return name + "." + std::to_string(index);
}

void addWaveform(WeightList& names, const Architecture& architecture) {
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
void addPositions(WeightList& names, const Architecture& architecture) {
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
    if (const auto& bias = encoder.relativeBias; bias && !encoder.layers.empty())
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

void addFrontEnd(WeightList& names, const Architecture& architecture) {
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

void addConformerLayer(WeightList& names, const std::string& layer, const Architecture::Encoder& encoder,
                       const std::vector<WeightShape>& attention) {
    const std::int64_t width = encoder.width;
    const Architecture::Convolution& convolution = encoder.convolution.value();
    names.norm(layer + ".ffn1_layer_norm", width);
    names.feedForward(layer + ".ffn1", width, encoder.feedForward, encoder.feedForwardBias);
    names.norm(layer + ".self_attn_layer_norm", width);
    names.attention(layer, attention);
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

void addBranchformerLayer(WeightList& names, const std::string& layer, const Architecture::Encoder& encoder,
                          const std::vector<WeightShape>& attention) {
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
    names.attention(layer, attention);
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

void addEncoder(WeightList& names, const Architecture& architecture) {
    const Architecture::Encoder& encoder = architecture.encoder;
    addFrontEnd(names, architecture);
    addPositions(names, architecture);
    for (std::size_t index = 0; index < encoder.layers.size(); ++index) {
        const std::string layer = numbered("model.encoder.layers", index);
        const std::vector<WeightShape> attention = attentionShapes(encoder, static_cast<int>(index) + 1);
        if (encoder.kind == EncoderKind::Conformer) {
            addConformerLayer(names, layer, encoder, attention);
            continue;
        }
        if (encoder.kind == EncoderKind::Branchformer) {
            addBranchformerLayer(names, layer, encoder, attention);
            continue;
        }
        names.attention(layer, attention);
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
void addAttention(WeightList& names, const std::string& name, std::int64_t width, std::int64_t memory,
                  bool keyBias = true) {
    names.weighted(name + ".k_proj", {width, memory}, keyBias);
    names.linear(name + ".v_proj", width, memory);
    names.linear(name + ".q_proj", width, width);
    names.linear(name + ".out_proj", width, width);
}

/// What stands between the encoder and a CTC output.
void addBeforeOutput(WeightList& names, const Architecture& architecture) {
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

void addDecoder(WeightList& names, const Architecture& architecture, bool tied) {
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

void addLanguageModel(WeightList& names, const Architecture& architecture) {
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

std::vector<WeightShape> attentionShapes(const Architecture::Encoder& encoder, int layer) {
    WeightList list;
    const std::string place = "self_attn.";
    const Architecture::Layer& own = encoder.layers.at(static_cast<std::size_t>(layer) - 1);
    const bool reuses = reusesMap(own);
    const std::int64_t width = encoder.width, heads = own.headCount(), ofHead = width / heads;
    const std::int64_t values = reuses ? 2 * width : width; // of a reused map twice as wide (Shim et al. 2022, §3.2)
    if (!reuses)
        list.linear(place + "k_proj", width, width, encoder.queryKeyValueBias && encoder.keyBias);
    list.linear(place + "v_proj", values, width, encoder.queryKeyValueBias);
    if (!reuses)
        list.linear(place + "q_proj", width, width, encoder.queryKeyValueBias);
    list.linear(place + "out_proj", width, values, encoder.outputBias);
    if (reuses)
        return list.take();
    if (isRelative(encoder.positions)) {
        list.linear(place + "linear_pos", width, width, false);
        list.add(place + "pos_bias_u", {heads, ofHead});
        list.add(place + "pos_bias_v", {heads, ofHead});
    }
    if (encoder.relativeBias) {
        list.linear(place + "gru_rel_pos_linear", 8, ofHead);
        list.add(place + "gru_rel_pos_const", {1, heads, 1, 1});
    }
    if (encoder.positions == Positions::RelativeKey) {
        const Architecture::RelativeKey reach = encoder.relativeKey.value_or(Architecture::RelativeKey());
        list.add(place + "distance_embedding.weight", {reach.left + reach.right + 1, ofHead});
    }
    for (std::size_t number = 0; number < own.heads.size(); ++number) {
        const HeadGroup& group = own.heads[number];
        if (group.kind != HeadKind::Conv)
            continue;
        const std::string name = place + "groups." + std::to_string(number);
        if (group.convForm == ConvForm::Speechformer) {
            list.convolution(name + ".conv", 2 * width, width, group.convKernel);
            continue;
        }
        for (const char* which : {".conv_k", ".conv_v"}) {
            const bool separable = group.convForm == ConvForm::Separable;
            list.convolution(name + which + (separable ? ".0" : ""), ofHead, group.convForm == ConvForm::Normal ? ofHead : 1, group.convKernel);
            if (separable)
                list.convolution(name + which + ".1", ofHead, ofHead, 1);
        }
    }
    return list.take();
}

std::vector<WeightShape> weightShapes(const Architecture& architecture, bool tied) {
    WeightList names;
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

std::optional<std::string> startingWeight(const std::string& name, bool encoderOnly, const std::function<bool(const std::string&)>& has) {
    if ((name.starts_with("ctc.") && !has(name)) || (encoderOnly && !isOfEncoder(name)))
        return std::nullopt;
    return name == "lm_head.weight" && !has(name) ? "model.decoder.embed_tokens.weight" : name;
}

} // namespace headroom
