// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/checkpoints/families/waveform_family.h"

#include "core/model_folders/language_adapter.h"
#include "models/checkpoints/families/switches.h"
#include "models/checkpoints/weights.h"

#include <algorithm>

namespace headroom::models {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr int kLongestSeconds = 600; // memory is checked for every recording anyway

void readFrontEnd(const JsonFile& config, const WaveformForm& form, const Switches& switches,
                  Architecture::FrontEnd& frontEnd) {
    frontEnd.kind = FrontEndKind::Waveform;
    frontEnd.reads = InputKind::Waveform;
    frontEnd.features = 1;
    frontEnd.planes = config.integers("conv_dim", 1, 65'536);
    frontEnd.kernels = config.integers("conv_kernel", 1, 99);
    frontEnd.strides = config.integers("conv_stride", 1, 99);
    const std::size_t count = frontEnd.kernels.size();
    if (frontEnd.planes.size() != count || frontEnd.strides.size() != count || count > 8)
        config.refuse("model.badConfig", ": “conv_dim”, “conv_kernel” and “conv_stride” have " +
                                             std::to_string(frontEnd.planes.size()) + ", " +
                                             std::to_string(count) + " and " +
                                             std::to_string(frontEnd.strides.size()) +
                                             " entries; they must be equally many, at most 8");
    for (std::size_t i = 0; i < count; ++i)
        if (frontEnd.strides[i] > frontEnd.kernels[i])
            config.refuse("model.unsupported",
                          ": a convolution with a stride larger than its kernel skips samples");
    frontEnd.bias = switches.truth("conv_bias", false);
    const std::string activation = switches.text("feat_extract_activation", "gelu");
    frontEnd.activation =
        choiceOf<FrontEndActivation>(wordOf(activationIn(config, "feat_extract_activation", activation)));
    const std::string norm = form.alwaysLayerNormed ? "layer" : switches.text("feat_extract_norm", "group");
    if (norm != "layer" && norm != "group")
        config.refuse("model.unsupported",
                      ": “feat_extract_norm” is “" + norm.substr(0, 40) + "”, neither “group” nor “layer”",
                      {{"key", "feat_extract_norm"}});
    frontEnd.norm = choiceOf<FrontEndNorm>(norm);
    if (config.has("feat_proj_layer_norm")) // only HuBERT has a choice
        frontEnd.projectionNorm = config.boolean("feat_proj_layer_norm");
}

void readPositions(const JsonFile& config, const WaveformForm& form, const Switches& switches,
                   const Architecture::FrontEnd& frontEnd, Architecture::Encoder& encoder) {
    Architecture::PositionalConvolution positional;
    if (form.severalPositions) {
        positional.layers = switches.whole("num_conv_pos_embeddings", 5, 100);
        positional.kernel = switches.whole("conv_pos_kernel_size", 19, 999);
        positional.weightNorm = false;
        positional.norm = PositionalNorm::Layer;
    } else
        positional.kernel = switches.whole("num_conv_pos_embeddings", 128, 999);
    positional.groups = switches.whole("num_conv_pos_embedding_groups", 16, 65'536);
    if (config.has("conv_pos_batch_norm") && config.boolean("conv_pos_batch_norm")) {
        positional.norm = PositionalNorm::Batch;
        positional.weightNorm = false;
    }
    positional.activation = activationOf(frontEnd.activation);
    if (encoder.width % positional.groups != 0)
        config.refuse("model.badConfig", ": “num_conv_pos_embedding_groups” " +
                                             std::to_string(positional.groups) +
                                             " does not divide “hidden_size” " +
                                             std::to_string(encoder.width));
    encoder.positions = Positions::Convolutional;
    encoder.positionalConvolution = positional;
}

/// The nearest quarter of the buckets are single distances; those up to the largest share the second quarter by
/// their logarithm.
Architecture::RelativeBias relativeBiasIn(const JsonFile& config, const Switches& switches) {
    const Architecture::RelativeBias bias{switches.whole("num_buckets", 320, 65'536),
                                          switches.whole("max_bucket_distance", 800, 1'000'000)};
    const int single = bias.buckets / 2 / 2;
    if (single == 0 || bias.maxDistance <= single)
        config.refuse("model.badConfig",
                      ": “num_buckets” is " + std::to_string(bias.buckets) + " and “max_bucket_distance” is " +
                          std::to_string(bias.maxDistance) +
                          ", which give no position bias; “num_buckets” must be at least 4, and “max_bucket_distance” larger than "
                          "a quarter of it",
                      {{"key", "num_buckets"}});
    return bias;
}

void readEncoder(const JsonFile& config, const WaveformForm& form, const Switches& switches,
                 ModelFolder& model) {
    Architecture::Encoder& encoder = model.architecture.encoder;
    readHiddenSizes(config, encoder);
    const bool preNorm = !form.alwaysLayerNormed && switches.truth("do_stable_layer_norm", false);
    encoder.norm = preNorm ? NormPlace::Pre : NormPlace::Post;
    encoder.inputNorm = !preNorm; // the library's encoder.layer_norm has two places
    encoder.normEpsilon = switches.epsilon("layer_norm_eps");
    encoder.activation = activationIn(config, "hidden_act", switches.text("hidden_act", "gelu"));
    encoder.dropout = dropoutOf(config, "hidden_dropout", model.assumed);
    encoder.attentionDropout = dropoutOf(config, "attention_dropout", model.assumed);
    encoder.activationDropout = activationDropoutOf(config, encoder.dropout);
    if (form.relativeBias)
        encoder.relativeBias = relativeBiasIn(config, switches);
    if (form.adapters && preNorm && config.has("adapter_attn_dim") &&
        !config.value("adapter_attn_dim").is_null())
        encoder.adapters = sizeIn(config, "adapter_attn_dim");
    if (config.has("add_adapter") && config.value("add_adapter") == true)
        config.refuse("model.unsupported",
                      ": “add_adapter” puts convolutions after the encoder, which this version does not run",
                      {{"key", "add_adapter"}});
}

/// preprocessor_config.json, or what processor_config.json holds of it.
void readPreprocessor(const HuggingFaceFolder& folder, Architecture::FrontEnd& frontEnd,
                      std::vector<std::string>& assumed) {
    const fs::path own = folder.path / "preprocessor_config.json", both = folder.path / "processor_config.json";
    const fs::path file = fs::exists(own) ? own : both;
    if (!fs::exists(file)) {
        assumed.push_back(shown(own) + " is missing; 16 kHz and samples of mean 0 and variance 1 were assumed.");
        return;
    }
    const JsonFile found(file);
    json settings = found.object();
    if (file == both)
        settings = found.has("feature_extractor") ? found.value("feature_extractor") : json::object();
    const auto refuse = [&](const char* key, const char* needed) {
        found.refuse("model.frontEnd",
                     ": “" + std::string(key) + "” is " + settings[key].dump().substr(0, 40) +
                         ", but this model needs " + needed,
                     {{"key", key}});
    };
    if (settings.contains("sampling_rate") && settings["sampling_rate"] != kModelSampleRate.hertz())
        refuse("sampling_rate", "16000");
    if (settings.contains("feature_size") && settings["feature_size"] != 1)
        refuse("feature_size", "1");
    if (!settings.contains("do_normalize"))
        assumed.push_back(found.name() + " does not define “do_normalize”; true was assumed.");
    else if (!settings["do_normalize"].is_boolean())
        refuse("do_normalize", "true or false");
    else
        frontEnd.normalised = settings["do_normalize"].get<bool>();
}

/// How the library's names differ from ours; `prefix` is empty for a model without a head.
NameRules namesOf(const Architecture& architecture, const std::string& prefix, bool newWeightNorm,
                  const std::vector<std::string>& leftOut) {
    NameRules rules;
    const auto add = [&](const std::string& ours, const std::string& theirs) {
        rules.replacements.emplace_back(ours, theirs);
    };
    for (std::size_t i = 0; i < architecture.frontEnd.kernels.size(); ++i) {
        const std::string number = std::to_string(i) + ".";
        const std::string theirs = prefix + "feature_extractor.conv_layers." + number;
        add("model.encoder.conv.conv_layers." + number, theirs + "conv.");
        add("model.encoder.conv.norms." + number, theirs + "layer_norm.");
    }
    add("model.encoder.conv.projection_norm.", prefix + "feature_projection.layer_norm.");
    add("model.encoder.conv.projection.", prefix + "feature_projection.projection.");
    const std::string embed = prefix + "encoder.pos_conv_embed.";
    const auto& positional = architecture.encoder.positionalConvolution.value();
    add("model.encoder.positions.batch_norm.", embed + "batch_norm.");
    if (newWeightNorm) {
        add("model.encoder.positions.0.weight_g", embed + "conv.parametrizations.weight.original0");
        add("model.encoder.positions.0.weight_v", embed + "conv.parametrizations.weight.original1");
    }
    for (int i = 0; i < positional.layers; ++i) {
        const std::string number = std::to_string(i) + ".";
        const bool listed = positional.norm == PositionalNorm::Layer;
        add("model.encoder.positions." + number, embed + (listed ? "layers." + number : "") + "conv.");
    }
    add("model.encoder.relative_bias.", prefix + "encoder.layers.0.attention.rel_attn_embed.");
    add("model.encoder.input_norm.", prefix + "encoder.layer_norm.");
    add("model.encoder.layer_norm.", prefix + "encoder.layer_norm.");
    add("model.encoder.layers.", prefix + "encoder.layers.");
    add(".self_attn.", ".attention.");
    add(".self_attn_layer_norm.", ".layer_norm.");
    add(".fc1.", ".feed_forward.intermediate_dense.");
    add(".fc2.", ".feed_forward.output_dense.");
    add(".adapter.", ".adapter_layer.");
    add("ctc.", "lm_head.");
    rules.leftOut = leftOut;
    // Masks of pre-training, counters, and the heads of classifiers.
    for (const char* part : {"masked_spec_embed", "encoder.pos_conv_embed.batch_norm.num_batches_tracked"})
        rules.leftOut.push_back(prefix + part);
    for (const char* part : {"projector.", "classifier.", "layer_weights", "tdnn.", "objective."})
        rules.leftOut.emplace_back(part);
    if (!prefix.empty()) // of a speaker classifier; the encoder's is under the prefix
        rules.leftOut.emplace_back("feature_extractor.");
    return rules;
}

/// The adapters of the language in use, where they lie in a file of their own (MMS).
void findLanguage(const HuggingFaceFolder& folder, ModelFolder& model) {
    if (!folder.adapters.empty()) {
        model.overlay = folder.adapters;
        model.language = languageOfAdapter(folder.adapters);
        model.assumed.push_back("The adapters, the output and the vocabulary are those of the language “" +
                                model.language + "” (" + shown(folder.adapters) + ").");
        return;
    }
    const fs::path file = folder.path / "tokenizer_config.json";
    if (!fs::exists(file))
        return;
    const JsonFile settings(file);
    if (!settings.has("target_lang") || !settings.value("target_lang").is_string())
        return;
    const std::string language = settings.text("target_lang");
    const fs::path adapters = adapterOf(folder.path, language);
    if (fs::path(language).filename() != language || !fs::exists(adapters))
        return;
    model.overlay = adapters;
    model.language = language;
    model.assumed.push_back("The adapters and the output of “" + language + "” are those of " +
                            shown(adapters) + "; " + settings.name() + " says “target_lang”.");
}

} // namespace

void describeWaveformFamily(const HuggingFaceFolder& folder, const WaveformForm& form, ModelFolder& model) {
    const JsonFile& config = folder.config;
    Architecture& architecture = model.architecture;
    const Switches switches(config, model.assumed);
    readFrontEnd(config, form, switches, architecture.frontEnd);
    readEncoder(config, form, switches, model);
    readPositions(config, form, switches, architecture.frontEnd, architecture.encoder);
    readPreprocessor(folder, architecture.frontEnd, model.assumed);
    model.maxSourceFrames = std::int64_t(kLongestSeconds) * kModelSampleRate.hertz();
    if (architecture.encoder.adapters > 0)
        findLanguage(folder, model);

    const NamedTensors weights = weightsInFile(model);
    const auto& names = weights.names();
    const bool headed = std::any_of(names.begin(), names.end(),
                                    [&](const std::string& name) { return name.starts_with(form.prefix); });
    const std::string prefix = headed ? form.prefix : "";
    const std::string convolution = prefix + "encoder.pos_conv_embed.conv.";
    auto& positional = *architecture.encoder.positionalConvolution;
    // Weight norm may have been folded into the weight.
    if (positional.weightNorm && weights.contains(convolution + "weight"))
        positional.weightNorm = false;
    model.names = namesOf(architecture, prefix,
                          weights.contains(convolution + "parametrizations.weight.original0"), form.leftOut);
    if (weights.contains("lm_head.weight") || isCtcClass(config)) {
        architecture.ctc = sizeIn(config, "vocab_size");
        if (!model.overlay.empty() && weights.contains("lm_head.weight"))
            if (const auto& shape = weights.tensor("lm_head.weight").shape; !shape.empty())
                architecture.ctc = static_cast<int>(shape.front()); // a language has labels of its own
        describeLabels(folder, "vocab.json", model);
        if (!folder.adapters.empty() && !model.tokenizer.empty())
            model.tokenizer = folder.adapters;
    }
}

} // namespace headroom::models
