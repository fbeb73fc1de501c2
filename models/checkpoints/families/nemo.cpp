// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/errors/display_name.h"
#include "core/text/token_list.h"
#include "models/checkpoints/families/parakeet.h"
#include "models/checkpoints/nemo_archive.h"
#include "models/checkpoints/weights.h"

namespace headroom::models {
namespace {

using nlohmann::json;

/// Refuses what a key says, if it is there and says something other than `supported`.
void requireNemo(const JsonFile& config, const char* key, const std::vector<json>& supported,
                 const char* words) {
    if (!config.has(key))
        return;
    for (const json& value : supported)
        if (config.value(key) == value)
            return;
    refuseValue(config, key, words);
}

JsonFile partOf(const JsonFile& config, const char* key, const char* target) {
    const JsonFile part = config.part(key);
    const std::string found = part.has("_target_") ? part.text("_target_") : std::string();
    if (!found.ends_with(target))
        config.refuse("model.unsupported",
                      ": “" + std::string(key) + "” is a “" + validText(found.substr(found.rfind('.') + 1)) +
                          "”; of NeMo's models this version opens those with a " +
                          std::string(target).substr(1),
                      {{"key", key}});
    return part;
}

/// NeMo's encoder in the keys of transformers, which has the same network.
json encoderKeys(const JsonFile& encoder) {
    requireNemo(encoder, "subsampling", {"dw_striding"}, "dw_striding");
    requireNemo(encoder, "self_attention_model", {"rel_pos"}, "rel_pos");
    requireNemo(encoder, "att_context_size", {json(), {-1, -1}, json::array({{-1, -1}})}, "[-1, -1]: all tokens");
    requireNemo(encoder, "att_context_style", {"regular"}, "regular");
    requireNemo(encoder, "causal_downsampling", {false}, "false");
    requireNemo(encoder, "conv_norm_type", {"batch_norm"}, "batch_norm");
    requireNemo(encoder, "conv_context_size", {json()}, "null: centred convolutions");
    requireNemo(encoder, "untie_biases", {true}, "true");
    requireNemo(encoder, "reduction", {json(), ""}, "null");
    for (const char* key : {"subsampling", "self_attention_model"}) // without them NeMo builds another network
        encoder.value(key);
    const std::int64_t width = encoder.integer("d_model", 1, 1'000'000);
    json keys{{"num_mel_bins", encoder.value("feat_in")},
              {"subsampling_conv_channels", encoder.value("subsampling_conv_channels")},
              {"subsampling_factor", encoder.value("subsampling_factor")},
              {"subsampling_conv_kernel_size", 3},
              {"subsampling_conv_stride", 2},
              {"hidden_size", width},
              {"intermediate_size", width * encoder.integer("ff_expansion_factor", 1, 64)},
              {"num_attention_heads", encoder.value("n_heads")},
              {"num_hidden_layers", encoder.value("n_layers")},
              {"hidden_act", "silu"},
              {"conv_kernel_size", encoder.value("conv_kernel_size")}};
    const auto copy = [&](const char* theirs, const char* key) {
        if (encoder.has(theirs))
            keys[key] = encoder.value(theirs);
    };
    copy("xscaling", "scale_input");
    copy("use_bias", "attention_bias");
    copy("use_bias", "convolution_bias");
    copy("dropout", "dropout");
    copy("dropout_att", "attention_dropout");
    return keys;
}

void readFeatures(const JsonFile& preprocessor, Architecture::FrontEnd& frontEnd) {
    for (const char* key : {"features", "window_size"}) // NeMo's own defaults are others
        preprocessor.value(key);
    requireNemo(preprocessor, "sample_rate", {16000}, "16000");
    requireNemo(preprocessor, "features", {frontEnd.features}, "as many as “feat_in” of the encoder");
    requireNemo(preprocessor, "normalize", {"per_feature"}, "per_feature");
    requireNemo(preprocessor, "window_size", {0.025}, "0.025");
    requireNemo(preprocessor, "window_stride", {0.01}, "0.01");
    requireNemo(preprocessor, "window", {"hann"}, "hann");
    requireNemo(preprocessor, "n_fft", {512}, "512");
    requireNemo(preprocessor, "log", {true}, "true");
    requireNemo(preprocessor, "frame_splicing", {1}, "1");
    if (preprocessor.has("preemph") && !preprocessor.value("preemph").is_null())
        frontEnd.preEmphasis = preprocessor.share("preemph");
}

} // namespace

ModelFolder describeNemo(const std::filesystem::path& archive) {
    ModelFolder model;
    model.folder = archive.parent_path();
    model.family = "Parakeet";
    model.config = model.weights = archive;
    const JsonFile config(shown(archive) + ", model_config.yaml", NemoArchive(archive).config());
    if (!config.object().is_object())
        config.refuse("model.badConfig", " is no mapping");
    const JsonFile encoder(config.name() + ", “encoder”", encoderKeys(partOf(config, "encoder", ".ConformerEncoder")));
    const Switches switches(encoder, model.assumed);
    readParakeetFrontEnd(encoder, switches, model);
    readFeatures(partOf(config, "preprocessor", ".AudioToMelSpectrogramPreprocessor"), model.architecture.frontEnd);
    readParakeetEncoder(encoder, switches, model);
    model.names = parakeetNames(model.architecture, "encoder.", ParakeetNames::Nemo);
    const std::string output = "decoder.decoder_layers.0.weight";
    if (const NamedTensors weights = weightsInFile(model); weights.contains(output)) {
        const auto labels = weights.tensor(output).shape;
        if (labels.empty() || labels.front() < 2)
            config.refuse("model.badConfig", ": the CTC output in " + shown(archive) + " has no labels");
        model.architecture.ctc = static_cast<int>(labels.front());
        model.architecture.ctcBlank = static_cast<int>(labels.front()) - 1; // NeMo's blank is the last label
        if (TokenList::isInArchive(archive)) {
            model.tokenizer = archive;
            const int listed = TokenList(archive).size();
            if (listed != *model.architecture.ctc)
                config.refuse("model.badConfig", ": “vocabulary” of the decoder has " + std::to_string(listed - 1) +
                                                     " labels, and the CTC output has " +
                                                     std::to_string(*model.architecture.ctc - 1) + " beside its blank");
        } else {
            model.assumed.push_back(shown(archive) + " lists no labels (“vocabulary” of the decoder), so they have no text.");
        }
    } else {
        model.assumed.push_back(shown(archive) + " has no CTC output; the encoder is opened alone.");
    }
    return model;
}

} // namespace headroom::models
