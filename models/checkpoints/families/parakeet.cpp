// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/checkpoints/families/parakeet.h"

#include "models/checkpoints/weights.h"

#include <algorithm>

namespace headroom::models {
namespace {

namespace fs = std::filesystem;

constexpr int kParakeetLongestSeconds = 600; // memory is checked for every recording anyway

/// What the library's feature extractor computes with other values is not what parakeetFeatures does.
void readParakeetInput(const HuggingFaceFolder& folder, ModelFolder& model) {
    Architecture::FrontEnd& frontEnd = model.architecture.frontEnd;
    const auto extractor = preprocessorOf(folder);
    if (!extractor) {
        model.assumed.push_back(
            shown(folder.path / "preprocessor_config.json") +
            " is missing; 16 kHz, frames of 25 ms every 10 ms and a pre-emphasis of 0.97 were "
            "assumed.");
        return;
    }
    const auto agrees = [&](const char* key, int needed) {
        if (!extractor->has(key))
            model.assumed.push_back(extractor->name() + " does not define “" + key +
                                    "”: " + std::to_string(needed) + " was assumed.");
        else if (extractor->value(key) != needed)
            extractor->refuse("model.frontEnd",
                              ": “" + std::string(key) + "” is " +
                                  extractor->value(key).dump().substr(0, 40) + ", but this model needs " +
                                  std::to_string(needed),
                              {{"key", key}});
    };
    agrees("sampling_rate", kModelSampleRate.hertz());
    agrees("feature_size", frontEnd.features);
    agrees("hop_length", 160);
    agrees("n_fft", 512);
    agrees("win_length", 400);
    if (!extractor->has("preemphasis") || extractor->value("preemphasis").is_null())
        return;
    frontEnd.preEmphasis = extractor->share("preemphasis");
}

} // namespace

void readParakeetFrontEnd(const JsonFile& config, const Switches& switches, ModelFolder& model) {
    Architecture::FrontEnd& frontEnd = model.architecture.frontEnd;
    frontEnd.kind = FrontEndKind::Depthwise2d;
    frontEnd.reads = InputKind::NemoLogMel;
    frontEnd.activation = FrontEndActivation::Relu;
    frontEnd.features = switches.whole("num_mel_bins", 80, 1000);
    frontEnd.channels = switches.whole("subsampling_conv_channels", 256, 65'536);
    const int factor = switches.whole("subsampling_factor", 8, 256);
    if (factor < 2 || (factor & (factor - 1)) != 0)
        refuseValue(config, "subsampling_factor", "powers of two from 2");
    const int kernel = switches.whole("subsampling_conv_kernel_size", 3, 99);
    const int stride = switches.whole("subsampling_conv_stride", 2, 99);
    if (kernel % 2 == 0)
        refuseValue(config, "subsampling_conv_kernel_size", "odd numbers");
    if (stride > kernel)
        refuseValue(config, "subsampling_conv_stride", "strides up to “subsampling_conv_kernel_size”");
    std::size_t convolutions = 0; // the library's log2
    for (int rest = factor; rest > 1; rest /= 2)
        ++convolutions;
    frontEnd.kernels.assign(convolutions, kernel);
    frontEnd.strides.assign(convolutions, stride);
    frontEnd.planes.assign(convolutions, frontEnd.channels);
    int left = frontEnd.features, expected = frontEnd.features;
    for (std::size_t i = 0; i < convolutions; ++i) {
        left = (left + 2 * (kernel / 2) - kernel) / stride + 1;
        expected /= stride;
    }
    if (left != expected)
        config.refuse("model.badConfig",
                      ": the convolutions make " + std::to_string(left) + " of “num_mel_bins” " +
                          std::to_string(frontEnd.features) + ", and the linear layer after them reads " +
                          std::to_string(expected),
                      {{"key", "num_mel_bins"}});
    frontEnd.scaled = switches.truth("scale_input", true);
    model.maxSourceFrames = std::int64_t(kParakeetLongestSeconds) * 100 + 1;
}

void readParakeetEncoder(const JsonFile& config, const Switches& switches, ModelFolder& model) {
    Architecture::Encoder& encoder = model.architecture.encoder;
    encoder.kind = EncoderKind::Conformer;
    encoder.positions = Positions::Relative;
    encoder.width = sizeIn(config, "hidden_size");
    encoder.feedForward = sizeIn(config, "intermediate_size");
    const int heads = sizeIn(config, "num_attention_heads");
    if (encoder.width % heads != 0 || encoder.width % 2 != 0)
        config.refuse("model.badConfig", ": “hidden_size” is " + std::to_string(encoder.width) +
                                             "; it must be even and a multiple of the " +
                                             std::to_string(heads) + " heads");
    if (config.has("num_key_value_heads") && config.value("num_key_value_heads") != heads)
        refuseValue(config, "num_key_value_heads", "as many as “num_attention_heads”");
    if (config.has("head_dim") && config.value("head_dim") != encoder.width / heads)
        refuseValue(config, "head_dim", "“hidden_size” over “num_attention_heads”");
    encoder.layers.assign(static_cast<std::size_t>(config.integer("num_hidden_layers", 1, 1000)),
                          Architecture::Layer{headsOf(HeadKind::Full, heads)});
    encoder.activation = activationIn(config, "hidden_act", switches.text("hidden_act", "silu"));
    encoder.dropout = dropoutOf(config, "dropout", model.assumed);
    encoder.attentionDropout = dropoutOf(config, "attention_dropout", model.assumed);
    encoder.activationDropout = activationDropoutOf(config, encoder.dropout);
    const bool bias = switches.truth("attention_bias", true);
    encoder.queryKeyValueBias = encoder.outputBias = encoder.feedForwardBias = bias;

    Architecture::Convolution convolution;
    convolution.kernel = switches.whole("conv_kernel_size", 9, 999);
    if (convolution.kernel % 2 == 0)
        refuseValue(config, "conv_kernel_size", "odd numbers");
    convolution.norm = ConvolutionNorm::Batch;
    convolution.bias = convolution.depthwiseBias = switches.truth("convolution_bias", true);
    convolution.activation = encoder.activation;
    encoder.convolution = convolution;
}

NameRules parakeetNames(const Architecture& architecture, const std::string& prefix, ParakeetNames names) {
    const bool nemo = names == ParakeetNames::Nemo;
    NameRules rules;
    const auto add = [&](const std::string& ours, const std::string& theirs) {
        rules.replacements.emplace_back(ours, theirs);
    };
    // The library counts convolutions and activations in one list: 0 conv, 1 ReLU, 2 depthwise, 3 pointwise,
    // 4 ReLU …
    for (std::size_t i = 0; i < architecture.frontEnd.kernels.size(); ++i) {
        const std::string number = std::to_string(i) + ".", place = prefix + (nemo ? "pre_encode.conv." : "subsampling.layers.");
        add("model.encoder.conv.conv_layers." + number, place + std::to_string(i == 0 ? 0 : 3 * i - 1) + ".");
        add("model.encoder.conv.pointwise." + number, place + std::to_string(3 * i) + ".");
    }
    add("model.encoder.conv.projection.", prefix + (nemo ? "pre_encode.out." : "subsampling.linear."));
    add("model.encoder.layers.", prefix + "layers.");
    add(".ffn1_layer_norm.", ".norm_feed_forward1.");
    add(".ffn2_layer_norm.", ".norm_feed_forward2.");
    add(".ffn1.fc", ".feed_forward1.linear");
    add(".ffn2.fc", ".feed_forward2.linear");
    add(".self_attn_layer_norm.", ".norm_self_att.");
    add(".conv_module.layer_norm.", ".norm_conv.");
    add(".conv_module.batch_norm.", nemo ? ".conv.batch_norm." : ".conv.norm.");
    add(".conv_module.", ".conv.");
    add(".final_layer_norm.", ".norm_out.");
    if (nemo) {
        for (const std::string which : {"q", "k", "v"})
            add(".self_attn." + which + "_proj.", ".self_attn.linear_" + which + ".");
        add(".self_attn.out_proj.", ".self_attn.linear_out.");
        add("ctc.", "decoder.decoder_layers.0.");
        // The window and filters of the features, and the decoders of transducers and hybrid models.
        rules.leftOut = {"preprocessor.", "decoder.prediction.", "joint.", "ctc_decoder.", "encoder.pos_enc."};
        rules.leftOutEndings = {".conv.batch_norm.num_batches_tracked"};
        rules.squeezed = {"decoder.decoder_layers.0.weight"};
        return rules;
    }
    add(".self_attn.out_proj.", ".self_attn.o_proj.");
    add(".self_attn.linear_pos.", ".self_attn.relative_k_proj.");
    add(".self_attn.pos_bias_", ".self_attn.bias_");
    add("ctc.", "ctc_head.");
    rules.leftOut = {"decoder.", "joint.", "encoder_projector."}; // of transducers, whose encoder is the same
    rules.leftOutEndings = {".conv.norm.num_batches_tracked"};    // a counter
    rules.squeezed = {"ctc_head.weight"};                         // a convolution of kernel 1
    return rules;
}

namespace {

void describeParakeet(const HuggingFaceFolder& folder, ModelFolder& model) {
    const bool whole = folder.config.has("encoder_config"); // else the encoder alone
    const JsonFile config = whole ? folder.config.part("encoder_config") : folder.config;
    const Switches switches(config, model.assumed);
    readParakeetFrontEnd(config, switches, model);
    readParakeetInput(folder, model);
    readParakeetEncoder(config, switches, model);
    const NamedTensors weights = weightsInFile(model);
    const bool headed = std::any_of(weights.names().begin(), weights.names().end(),
                                    [](const std::string& name) { return name.starts_with("encoder."); });
    model.names = parakeetNames(model.architecture, headed ? "encoder." : "", ParakeetNames::Transformers);
    if (weights.contains("ctc_head.weight") || isCtcClass(folder.config)) {
        model.architecture.ctc = sizeIn(folder.config, "vocab_size");
        describeLabels(folder, "tokenizer.json", model);
    }
}

} // namespace

/// FastConformer with CTC (Rekesh et al. 2023; NVIDIA's Parakeet), and the encoder of its transducers.
Family parakeetFamily() {
    return {"Parakeet", describeParakeet};
}

} // namespace headroom::models
