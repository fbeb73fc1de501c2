// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/features/whisper_log_mel.h"
#include "core/text/largest_vocabulary.h"
#include "core/text/tokenizer.h"
#include "models/checkpoints/families/switches.h"
#include "models/checkpoints/generation_config.h"
#include "models/checkpoints/weights.h"

namespace headroom::models {
namespace {

namespace fs = std::filesystem;

void readEncoder(const JsonFile& config, Architecture& architecture, std::vector<std::string>& assumed) {
    Architecture::FrontEnd& frontEnd = architecture.frontEnd;
    Architecture::Encoder& encoder = architecture.encoder;
    readEncoderSizes(config, encoder, assumed);
    frontEnd.reads = InputKind::WhisperLogMel;
    frontEnd.features = static_cast<int>(config.integer("num_mel_bins", 1, 1000));
    frontEnd.channels = encoder.width;
    frontEnd.kernels = {3, 3};
    frontEnd.strides = {1, 2};
    frontEnd.activation = FrontEndActivation::Gelu; // exact, whatever activation_function says
    frontEnd.scaled = false;
    encoder.activation = activationIn(config, "activation_function", config.text("activation_function"));
    encoder.positions = Positions::Stored;
    encoder.keyBias = false;
    const std::int64_t tokens = frontEnd.computedTokens(0);
    if (config.integer("max_source_positions", 1, 1'000'000) != tokens)
        config.refuse("model.unsupported",
                      ": “max_source_positions” is " + config.value("max_source_positions").dump() +
                          "; this version runs a window of 30 s, which has " + std::to_string(tokens),
                      {{"key", "max_source_positions"}});
}

void readDecoder(const JsonFile& config, Architecture& architecture) {
    Architecture::Decoder decoder = decoderSizes(config, architecture.encoder.width);
    decoder.activation = architecture.encoder.activation;
    decoder.tiedEmbeddings = true;
    decoder.positions = TextPositions::Learnt;
    decoder.places = sizeIn(config, "max_target_positions");
    decoder.scaledEmbeddings = false; // “scale_embedding” is a key of the file, which the library never reads
    decoder.keyBias = false;
    architecture.decoder = decoder;
    architecture.vocabulary = static_cast<int>(config.integer("vocab_size", 4, kLargestVocabulary));
}

void checkPreprocessor(const fs::path& folder, const Architecture& architecture,
                       std::vector<std::string>& assumed) {
    const fs::path file = folder / "preprocessor_config.json";
    if (!fs::exists(file)) {
        if (!fs::exists(folder / "processor_config.json"))
            assumed.push_back(shown(file) +
                              " is missing; Whisper's log-mel spectrogram of 30 s at 16 kHz was assumed.");
        return;
    }
    const JsonFile preprocessor(file);
    const auto agrees = [&](const char* key, const nlohmann::json& expected) {
        if (preprocessor.has(key))
            requireSetting(preprocessor, key, expected);
    };
    agrees("sampling_rate", 16000);
    agrees("feature_size", architecture.frontEnd.features);
    agrees("n_fft", 400);
    agrees("hop_length", 160);
    agrees("chunk_length", 30);
    if (preprocessor.has("do_normalize"))
        agrees("do_normalize", false);
}

/// vocab.json with merges.txt, or tokenizer.json, whichever is whole.
fs::path tokenizerOf(const fs::path& folder) {
    if (fs::exists(folder / "tokenizer.json"))
        return folder / "tokenizer.json";
    if (fs::exists(folder / "vocab.json") && fs::exists(folder / "merges.txt"))
        return folder / "vocab.json";
    return {};
}

/// Opens the tokenizer; one that is damaged or has gaps does not fit.
Tokenizer whisperTokenizer(const fs::path& file) {
    try {
        return Tokenizer(file);
    } catch (const Error& error) {
        throw Error("model.tokenizer", error.what(), error.values());
    }
}

void checkEnd(const ModelFolder& model) {
    if (model.tokenizer.empty())
        return;
    const Tokenizer tokenizer = whisperTokenizer(model.tokenizer);
    const int end = model.tokens.end;
    if (end < tokenizer.size() && tokenizer.piece(end) == "<|endoftext|>")
        return;
    throw Error("model.tokenizer",
                shown(model.tokenizer) + ": token " + std::to_string(end) + " is “" +
                    (end < tokenizer.size() ? tokenizer.piece(end) : std::string("none")) + "”, and " +
                    shown(model.config) + " ends a text with it; it must be “<|endoftext|>”.",
                {{"file", model.tokenizer.string()}});
}

void describeWhisper(const HuggingFaceFolder& found, ModelFolder& model) {
    const JsonFile& config = found.config;
    readEncoder(config, model.architecture, model.assumed);
    checkPreprocessor(found.path, model.architecture, model.assumed);
    model.maxSourceFrames = kWhisperFrames;
    const NamedTensors weights = openWeights(model.weights);
    const auto contains = [&](const std::string& name) { return weights.contains(name); };
    const bool bare = contains("encoder.conv1.weight") && !contains("model.encoder.conv1.weight");
    const std::string prefix = bare ? "" : "model.";
    model.names.replacements = {{"model.encoder.conv.conv_layers.0.", "model.encoder.conv1."},
                                {"model.encoder.conv.conv_layers.1.", "model.encoder.conv2."}};
    if (bare)
        model.names.replacements.emplace_back("model.", "");
    model.names.leftOut = {"projector.", "classifier.", "layer_weights"};
    if (!contains(prefix + "decoder.embed_tokens.weight")) { // an encoder under a classifier
        model.assumed.push_back(shown(model.weights) + " has no decoder; the encoder is opened alone.");
        return;
    }
    readDecoder(config, model.architecture);
    model.maxTargetTokens = model.architecture.decoder->places;
    model.tied = true;
    model.names.leftOut.push_back("proj_out.");
    if (contains("proj_out.weight") && config.has("tie_word_embeddings") &&
        !config.boolean("tie_word_embeddings"))
        config.refuse(
            "model.unsupported",
            ": “tie_word_embeddings” is false; Whisper's output is its embedding, and this version runs no "
            "other",
            {{"key", "tie_word_embeddings"}});
    model.tokenizer = tokenizerOf(found.path);
    if (model.tokenizer.empty())
        model.assumed.push_back(
            shown(found.path / "vocab.json") +
            " or merges.txt is missing, and so is tokenizer.json, so token ids have no text.");
    readTokenRules(found.path, model);
    checkEnd(model);
}

} // namespace

Family whisperFamily() {
    return {"Whisper", describeWhisper};
}

} // namespace headroom::models
