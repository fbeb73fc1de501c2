// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/largest_vocabulary.h"
#include "core/text/tokenizer.h"
#include "models/checkpoints/families/switches.h"
#include "models/checkpoints/weights.h"

namespace headroom::models {
namespace {

void readConfig(const JsonFile& config, Architecture& architecture, std::vector<std::string>& assumed) {
    mustBe(config, "activation_function", "relu");
    mustBe(config, "scale_embedding", true);
    mustBe(config, "input_channels", 1);
    mustBe(config, "pad_token_id", 1);
    mustBe(config, "eos_token_id", 2);
    mustBe(config, "decoder_start_token_id", 2);

    Architecture::FrontEnd& frontEnd = architecture.frontEnd;
    frontEnd.features = sizeIn(config, "input_feat_per_channel");
    frontEnd.channels = sizeIn(config, "conv_channels");
    frontEnd.kernels = config.integers("conv_kernel_sizes", 1, 99);
    frontEnd.strides.assign(frontEnd.kernels.size(), 2); // the library knows no other
    if (config.integer("num_conv_layers", 1, 16) != static_cast<std::int64_t>(frontEnd.kernels.size()))
        config.refuse("model.badConfig", ": “num_conv_layers” is " + config.value("num_conv_layers").dump() +
                                             ", and “conv_kernel_sizes” has " +
                                             std::to_string(frontEnd.kernels.size()) + " entries");

    Architecture::Encoder& encoder = architecture.encoder;
    readEncoderSizes(config, encoder, assumed);
    architecture.decoder = decoderSizes(config, encoder.width);
    architecture.vocabulary = static_cast<int>(config.integer("vocab_size", 4, kLargestVocabulary));
    if (encoder.width % 2 != 0 || encoder.width < 4 || frontEnd.channels % 2 != 0)
        config.refuse("model.badConfig",
                      ": “d_model” and “conv_channels” must be even, and “d_model” at least 4");
}

void readPreprocessor(const std::filesystem::path& folder, const Architecture& architecture,
                      std::vector<std::string>& assumed) {
    const std::filesystem::path file = folder / "preprocessor_config.json";
    if (!std::filesystem::exists(file)) {
        assumed.push_back(shown(file) +
                          " is missing; 16 kHz, log-mel filterbank and utterance CMVN were assumed.");
        return;
    }
    const JsonFile preprocessor(file);
    const auto agrees = [&](const char* key, const nlohmann::json& expected) {
        if (!preprocessor.has(key))
            assumed.push_back(preprocessor.name() + " does not define “" + key + "”: " + expected.dump() +
                              " was assumed.");
        else
            requireSetting(preprocessor, key, expected);
    };
    agrees("sampling_rate", 16000);
    agrees("num_mel_bins", architecture.frontEnd.features);
    agrees("do_ceptral_normalize", true); // the library's own spelling
    agrees("normalize_means", true);
    agrees("normalize_vars", true);
}

void describeSpeechToText(const HuggingFaceFolder& found, ModelFolder& model) {
    const JsonFile& config = found.config;
    const std::filesystem::path& folder = found.path;
    readConfig(config, model.architecture, model.assumed);
    model.maxSourceFrames = config.integer("max_source_positions", 1, 100'000'000);
    model.maxTargetTokens = config.integer("max_target_positions", 1, 100'000'000);
    readPreprocessor(folder, model.architecture, model.assumed);
    if (config.has("tie_word_embeddings")) {
        model.tied = config.boolean("tie_word_embeddings");
    } else {
        model.tied = !openWeights(model.weights).contains("lm_head.weight");
        model.assumed.push_back(config.name() +
                                " does not say “tie_word_embeddings”: the output projection is " +
                                (model.tied ? "the embedding." : "lm_head.weight, which the weights hold."));
    }
    model.architecture.decoder->tiedEmbeddings = model.tied;
    model.tokenizer = sentencePieceIn(folder);
    if (model.tokenizer.empty())
        model.assumed.push_back(shown(folder / kNumberedPieces) +
                                " is missing, so token ids have no text.");
}

} // namespace

Family speechToTextFamily() {
    return {"Speech2Text", describeSpeechToText};
}

} // namespace headroom::models
