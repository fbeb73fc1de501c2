// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/checkpoints/families/switches.h"
#include "models/checkpoints/families/waveform_family.h"
#include "models/checkpoints/weights.h"

#include <algorithm>

namespace headroom::models {
namespace {

constexpr const char* kBertPrefix = "wav2vec2_bert.";
constexpr int kBertLongestSeconds = 600; // memory is checked for every recording anyway

/// Frames of 10 ms, some side by side; the settings are the feature extractor's.
void readBertFrontEnd(const HuggingFaceFolder& folder, const Switches& switches, ModelFolder& model) {
    Architecture::FrontEnd& frontEnd = model.architecture.frontEnd;
    frontEnd.kind = FrontEndKind::Linear;
    frontEnd.reads = InputKind::StackedKaldiLogMel;
    frontEnd.activation = FrontEndActivation::Relu;
    frontEnd.kernels = frontEnd.strides = {};
    frontEnd.features = switches.whole("feature_projection_input_dim", 160, 1000);
    const auto extractor = preprocessorOf(folder);
    if (!extractor) {
        model.assumed.push_back(
            shown(folder.path / "preprocessor_config.json") +
            " is missing; 16 kHz, two Kaldi frames side by side and a padding value of 1 were "
            "assumed.");
    } else {
        const Switches settings(*extractor, model.assumed);
        if (extractor->has("sampling_rate") && extractor->value("sampling_rate") != kModelSampleRate.hertz())
            extractor->refuse("model.frontEnd", ": “sampling_rate” is not 16000, which this model needs",
                              {{"key", "sampling_rate"}});
        if (extractor->has("return_attention_mask") && extractor->value("return_attention_mask") != true)
            refuseValue(*extractor, "return_attention_mask", "true");
        frontEnd.stacked = settings.whole("stride", 2, 100);
        const int bins = settings.whole("num_mel_bins", 80, 1000);
        frontEnd.paddingValue = 0; // the library's default
        if (extractor->has("padding_value")) {
            if (!extractor->value("padding_value").is_number())
                refuseValue(*extractor, "padding_value", "a number");
            frontEnd.paddingValue = extractor->value("padding_value").get<double>();
        }
        if (bins * frontEnd.stacked != frontEnd.features)
            folder.config.refuse("model.frontEnd",
                                 ": “feature_projection_input_dim” is " + std::to_string(frontEnd.features) +
                                     ", but " + extractor->name() + " puts " +
                                     std::to_string(frontEnd.stacked) + " frames of " + std::to_string(bins) +
                                     " mel bins side by side",
                                 {{"key", "feature_projection_input_dim"}});
    }
    if (frontEnd.features % frontEnd.stacked != 0)
        folder.config.refuse("model.badConfig",
                             ": “feature_projection_input_dim” is odd, and two frames are side by "
                             "side",
                             {{"key", "feature_projection_input_dim"}});
    model.maxSourceFrames = std::int64_t(kBertLongestSeconds) * 100 / frontEnd.stacked;
}

void readBertEncoder(const JsonFile& config, const Switches& switches, ModelFolder& model) {
    Architecture::Encoder& encoder = model.architecture.encoder;
    encoder.kind = EncoderKind::Conformer;
    readHiddenSizes(config, encoder);
    encoder.normEpsilon = switches.epsilon("layer_norm_eps");
    encoder.activation = activationIn(config, "hidden_act", switches.text("hidden_act", "swish"));
    encoder.dropout = dropoutOf(config, "hidden_dropout", model.assumed);
    encoder.attentionDropout = dropoutOf(config, "attention_dropout", model.assumed);
    encoder.activationDropout = activationDropoutOf(config, encoder.dropout);

    Architecture::Convolution convolution;
    convolution.kernel = switches.whole("conv_depthwise_kernel_size", 31, 999);
    if (convolution.kernel % 2 == 0)
        refuseValue(config, "conv_depthwise_kernel_size", "an odd number");
    convolution.norm = ConvolutionNorm::Layer;
    convolution.bias = false;
    convolution.causal = true;
    convolution.activation = encoder.activation;
    encoder.convolution = convolution;

    const bool none =
        config.has("position_embeddings_type") && config.value("position_embeddings_type").is_null();
    if (none) {
        encoder.positions = Positions::None;
    } else {
        if (switches.text("position_embeddings_type", "relative_key") != "relative_key")
            refuseValue(config, "position_embeddings_type", "“relative_key” or null");
        encoder.positions = Positions::RelativeKey;
        encoder.relativeKey =
            Architecture::RelativeKey{switches.whole("left_max_position_embeddings", 64, 100'000),
                                      switches.whole("right_max_position_embeddings", 8, 100'000)};
    }
}

void readBertAdapter(const JsonFile& config, const Switches& switches, Architecture& architecture) {
    architecture.intermediateFeedForward = switches.truth("use_intermediate_ffn_before_adapter", false);
    if (!switches.truth("add_adapter", false))
        return;
    Architecture::LengthAdapter adapter;
    adapter.layers = switches.whole("num_adapter_layers", 1, 1000);
    adapter.kernel = switches.whole("adapter_kernel_size", 3, 999);
    adapter.stride = switches.whole("adapter_stride", 2, 999);
    if (adapter.stride > adapter.kernel)
        refuseValue(config, "adapter_stride", "strides up to “adapter_kernel_size”");
    adapter.width = switches.whole("output_hidden_size", architecture.encoder.width, 65'536);
    adapter.heads = architecture.encoder.layers.front().headCount();
    checkHeads(config, adapter.heads, adapter.width, "output_hidden_size");
    adapter.feedForward = architecture.encoder.feedForward;
    adapter.activation = activationIn(config, "adapter_act", switches.text("adapter_act", "relu"));
    architecture.lengthAdapter = adapter;
}

NameRules bertNames(const std::string& prefix) {
    NameRules rules;
    rules.replacements = {{"model.encoder.conv.projection_norm.", prefix + "feature_projection.layer_norm."},
                          {"model.encoder.conv.projection.", prefix + "feature_projection.projection."},
                          {"model.encoder.layers.", prefix + "encoder.layers."},
                          {"model.adapter.", prefix + "adapter."},
                          {"model.intermediate_ffn.", prefix + "intermediate_ffn."},
                          {".self_attn.q_proj.", ".self_attn.linear_q."},
                          {".self_attn.k_proj.", ".self_attn.linear_k."},
                          {".self_attn.v_proj.", ".self_attn.linear_v."},
                          {".self_attn.out_proj.", ".self_attn.linear_out."},
                          {".fc1.", ".intermediate_dense."},
                          {".fc2.", ".output_dense."},
                          {".conv_module.norm.", ".conv_module.depthwise_layer_norm."},
                          {"ctc.", "lm_head."}};
    rules.leftOut = {prefix + "masked_spec_embed", "projector.", "classifier.", "layer_weights", "tdnn.",
                     "feature_extractor.",         "objective."};
    return rules;
}

void describeBert(const HuggingFaceFolder& folder, ModelFolder& model) {
    const Switches switches(folder.config, model.assumed);
    readBertFrontEnd(folder, switches, model);
    readBertEncoder(folder.config, switches, model);
    readBertAdapter(folder.config, switches, model.architecture);
    const NamedTensors weights = weightsInFile(model);
    const bool headed = std::any_of(weights.names().begin(), weights.names().end(),
                                    [](const std::string& name) { return name.starts_with(kBertPrefix); });
    model.names = bertNames(headed ? kBertPrefix : "");
    if (weights.contains("lm_head.weight") || isCtcClass(folder.config)) {
        model.architecture.ctc = sizeIn(folder.config, "vocab_size");
        describeLabels(folder, "vocab.json", model);
    }
}

} // namespace

/// Barrault et al. 2023 (w2v-BERT 2.0 of SeamlessM4T): a Conformer with causal convolutions and learnt
/// distances.
Family wav2vec2BertFamily() {
    return {"wav2vec2-BERT", describeBert};
}

} // namespace headroom::models
