// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/checkpoints/families/switches.h"
#include "models/checkpoints/weights.h"

#include <algorithm>

namespace headroom::models {
namespace {

constexpr const char* kAstPrefix = "audio_spectrogram_transformer.";

/// “patch_size”: a number, or two equal ones.
int patchSize(const JsonFile& config, const Switches& switches) {
    if (!config.has("patch_size") || !config.value("patch_size").is_array())
        return switches.whole("patch_size", 16, 99);
    const std::vector<int> sides = config.integers("patch_size", 1, 99);
    if (sides.size() != 2 || sides.front() != sides.back())
        refuseValue(config, "patch_size", "squares");
    return sides.front();
}

/// A number of the preprocessor, or the library's default.
double statistic(const JsonFile& extractor, const char* key, double usual, std::vector<std::string>& assumed) {
    if (!extractor.has(key) || extractor.value(key).is_null()) {
        assumed.push_back(extractor.name() + " does not define “" + key + "”; the library's default, " +
                          nlohmann::json(usual).dump() + ", was assumed.");
        return usual;
    }
    if (!extractor.value(key).is_number())
        refuseValue(extractor, key, "a number");
    return extractor.value(key).get<double>();
}

/// Mean and deviation of the training data, one number each for all bins; the library divides by twice the deviation.
void readNormalisation(const HuggingFaceFolder& folder, ModelFolder& model) {
    constexpr double kAudioSetMean = -4.2677393, kAudioSetDeviation = 4.5689974;
    Architecture::FrontEnd& frontEnd = model.architecture.frontEnd;
    double mean = kAudioSetMean, deviation = kAudioSetDeviation;
    if (const auto extractor = preprocessorOf(folder)) {
        for (const auto& [key, expected] : {std::pair("sampling_rate", kModelSampleRate.hertz()),
                                            std::pair("num_mel_bins", frontEnd.features),
                                            std::pair("max_length", frontEnd.windowFrames)})
            if (extractor->has(key))
                requireSetting(*extractor, key, expected);
        if (!Switches(*extractor, model.assumed).truth("do_normalize", true))
            return;
        mean = statistic(*extractor, "mean", mean, model.assumed);
        deviation = statistic(*extractor, "std", deviation, model.assumed);
        if (!(deviation > 0))
            refuseValue(*extractor, "std", "a number above 0");
    } else
        model.assumed.push_back(shown(folder.path / "preprocessor_config.json") +
                                " is missing; 16 kHz and the mean and deviation of AudioSet were assumed.");
    const auto bins = static_cast<std::size_t>(frontEnd.features);
    frontEnd.cmvn = GlobalCmvn{std::vector(bins, mean), std::vector(bins, 2 * deviation)};
}

void readAstFrontEnd(const HuggingFaceFolder& folder, const Switches& switches, ModelFolder& model) {
    const JsonFile& config = folder.config;
    Architecture::FrontEnd& frontEnd = model.architecture.frontEnd;
    frontEnd.kind = FrontEndKind::Patches;
    frontEnd.reads = InputKind::AstLogMel;
    frontEnd.activation = FrontEndActivation::Relu; // there is none
    frontEnd.scaled = false;
    frontEnd.features = switches.whole("num_mel_bins", 128, 1000);
    frontEnd.windowFrames = switches.whole("max_length", 1024, 100'000);
    const int size = patchSize(config, switches);
    frontEnd.kernels = {size};
    frontEnd.strides = {switches.whole("time_stride", 10, 99)};
    frontEnd.frequencyStride = switches.whole("frequency_stride", 10, 99);
    frontEnd.classTokens = 2;
    for (const auto& [key, stride] :
         {std::pair("time_stride", frontEnd.strides.front()), std::pair("frequency_stride", frontEnd.frequencyStride)})
        if (stride > size)
            refuseValue(config, key, "strides up to “patch_size”");
    if (size > std::min(frontEnd.features, frontEnd.windowFrames))
        config.refuse("model.badConfig", ": a patch of “patch_size” " + std::to_string(size) + " does not fit into " +
                                             std::to_string(frontEnd.windowFrames) + " frames of " +
                                             std::to_string(frontEnd.features) + " mel bins");
    model.maxSourceFrames = frontEnd.windowFrames;
    readNormalisation(folder, model);
}

void readAstEncoder(const JsonFile& config, const Switches& switches, ModelFolder& model) {
    constexpr double kEpsilon = 1e-12;
    Architecture::Encoder& encoder = model.architecture.encoder;
    readHiddenSizes(config, encoder);
    if (config.has("head_dim") && !config.value("head_dim").is_null())
        mustBe(config, "head_dim", encoder.width / encoder.layers.front().headCount());
    encoder.positions = Positions::Learnt;
    encoder.normEpsilon = switches.epsilon("layer_norm_eps", kEpsilon);
    encoder.activation = activationIn(config, "hidden_act", switches.text("hidden_act", "gelu"));
    encoder.queryKeyValueBias = switches.truth("qkv_bias", true);
    encoder.dropout = dropoutOf(config, "hidden_dropout_prob", model.assumed);
    if (encoder.dropout > 0)
        encoder.activationDropout = 0; // ASTIntermediate has none
    encoder.attentionDropout = dropoutOf(config, "attention_probs_dropout_prob", model.assumed);
}

NameRules astNames(const std::string& prefix) {
    NameRules rules;
    rules.replacements = {
        {"model.encoder.conv.conv_layers.0.", prefix + "embeddings.patch_embeddings.projection."},
        {"model.encoder.conv.class_tokens.0", prefix + "embeddings.cls_token"},
        {"model.encoder.conv.class_tokens.1", prefix + "embeddings.distillation_token"},
        {"model.encoder.patch_positions", prefix + "embeddings.position_embeddings"},
        {"model.encoder.layers.", prefix + "encoder.layer."},
        {"model.encoder.layer_norm.", prefix + "layernorm."},
        {".self_attn.q_proj.", ".attention.attention.query."},
        {".self_attn.k_proj.", ".attention.attention.key."},
        {".self_attn.v_proj.", ".attention.attention.value."},
        {".self_attn.out_proj.", ".attention.output.dense."},
        {".self_attn_layer_norm.", ".layernorm_before."},
        {".final_layer_norm.", ".layernorm_after."},
        {".fc1.", ".intermediate.dense."},
        {".fc2.", ".output.dense."},
    };
    rules.leftOut = {"classifier."};
    return rules;
}

void describeAst(const HuggingFaceFolder& folder, ModelFolder& model) {
    const Switches switches(folder.config, model.assumed);
    readAstFrontEnd(folder, switches, model);
    readAstEncoder(folder.config, switches, model);
    const NamedTensors weights = weightsInFile(model);
    const bool headed = std::any_of(weights.names().begin(), weights.names().end(),
                                    [](const std::string& name) { return name.starts_with(kAstPrefix); });
    model.names = astNames(headed ? kAstPrefix : "");
}

} // namespace

/// Gong et al. 2021: a spectrogram of a fixed window cut into squares.
Family astFamily() {
    return {"AST", describeAst};
}

} // namespace headroom::models
