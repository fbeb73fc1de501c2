// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/architecture/language_layers.h"
#include "models/checkpoints/families/switches.h"
#include "models/checkpoints/weights.h"

#include <cmath>
#include <iterator>
#include <string>
#include <vector>

// FSMT: fairseq's Transformers for machine translation (Ng et al. 2019), post-norm.
namespace headroom::models {
namespace {

namespace fs = std::filesystem;

/// Source and target have one vocabulary, and one matrix embeds both and makes the output.
int sharedVocabulary(const JsonFile& config) {
    const auto source = config.integer("src_vocab_size", 4, 10'000'000);
    if (source != config.integer("tgt_vocab_size", 4, 10'000'000) || !config.boolean("tie_word_embeddings"))
        config.refuse(
            "model.unsupported",
            " has a vocabulary or an embedding for each language (“src_vocab_size”, “tgt_vocab_size”, "
            "“tie_word_embeddings”); this version runs models whose languages share one",
            {{"key", "tie_word_embeddings"}});
    return static_cast<int>(source);
}

void readLayers(const JsonFile& config, Architecture& architecture, std::vector<std::string>& assumed) {
    architecture.frontEnd = textFrontEnd();
    architecture.frontEnd.scaled = config.boolean("scale_embedding");

    Architecture::Encoder& encoder = architecture.encoder;
    readEncoderSizes(config, encoder, assumed);
    encoder.norm = NormPlace::Post;
    encoder.activation = activationIn(config, "activation_function", config.text("activation_function"));
    if (encoder.width % 2 != 0 || encoder.width < 4)
        config.refuse("model.badConfig", ": “d_model” must be even, and at least 4");

    Architecture::Decoder decoder = decoderSizes(config, encoder.width);
    decoder.norm = NormPlace::Post;
    decoder.activation = encoder.activation;
    decoder.tiedEmbeddings = true;
    decoder.scaledEmbeddings = architecture.frontEnd.scaled;
    architecture.decoder = decoder;
}

/// Both files of the vocabulary say the same.
void checkVocabularies(const fs::path& folder) {
    const fs::path target = folder / "vocab-tgt.json";
    if (!fs::exists(target))
        return;
    const JsonFile source(folder / "vocab-src.json"), other(target);
    if (source.object() != other.object())
        other.refuse("model.tokenizer", " numbers the pieces differently from " +
                                            shown(folder / "vocab-src.json") +
                                            ", and the configuration has one embedding for both");
}

constexpr const char* kTables[] = {"model.encoder.embed_positions.weight", "model.decoder.embed_positions.weight"};
constexpr std::int64_t kFirstPlace = 2; ///< the row of the first token; those before it are for <pad>

/// Whether a table differs from [sin | cos] of fairseq, in any precision that weights are saved in.
bool differsFromSinusoids(const TensorView& table) {
    constexpr double kHalfPrecision = 2e-3, kBase = 1e4;
    const std::vector<float> values = toFloats(table);
    const auto width = static_cast<std::size_t>(table.shape.back()), half = width / 2;
    for (std::size_t row = kFirstPlace; half > 1 && (row + 1) * width <= values.size(); ++row)
        for (std::size_t i = 0; i < half; ++i) {
            const double angle = static_cast<double>(row) *
                                 std::exp(-static_cast<double>(i) * std::log(kBase) / static_cast<double>(half - 1));
            const float* at = values.data() + row * width + i;
            if (std::abs(static_cast<double>(*at) - std::sin(angle)) > kHalfPrecision ||
                std::abs(static_cast<double>(at[half]) - std::cos(angle)) > kHalfPrecision)
                return true;
        }
    return false;
}

/// The library makes sinusoids and saves them as weights, and a training may have changed them: then the tables are
/// part of the model.
void readPositionTables(ModelFolder& model, const JsonFile& config) {
    const NamedTensors weights = openWeights(model.weights);
    bool trained = false;
    for (const char* name : kTables)
        trained = trained || (weights.contains(name) && weights.tensor(name).shape.size() == 2 &&
                              differsFromSinusoids(weights.tensor(name)));
    if (!trained) {
        model.names.leftOut.insert(model.names.leftOut.end(), std::begin(kTables), std::end(kTables));
        return;
    }
    model.architecture.encoder.positions = Positions::Stored;
    model.architecture.decoder->positions = TextPositions::Learnt;
    model.architecture.decoder->places = static_cast<int>(config.integer("max_position_embeddings", 1, 1'000'000));
    for (const char* name : kTables)
        model.names.unusedRows.emplace_back(name, kFirstPlace);
    model.assumed.push_back(shown(model.weights) +
                            ": the tables of positions were trained, so they are used instead of sinusoids.");
}

void describeFsmt(const HuggingFaceFolder& found, ModelFolder& model) {
    const JsonFile& config = found.config;
    mustBe(config, "pad_token_id", 1);
    mustBe(config, "eos_token_id", 2);
    mustBe(config, "decoder_start_token_id", 2);
    readLayers(config, model.architecture, model.assumed);
    model.architecture.vocabulary = sharedVocabulary(config);
    model.maxSourceFrames = model.maxTargetTokens = sizeIn(config, "max_position_embeddings");
    model.tied = true;
    model.names.leftOut = {"model.encoder.embed_tokens.", "model.decoder.output_projection.", "lm_head."};
    readPositionTables(model, config);
    const fs::path vocabulary = found.path / "vocab-src.json";
    if (fs::exists(vocabulary) && fs::exists(found.path / "merges.txt")) {
        checkVocabularies(found.path);
        model.tokenizer = vocabulary;
    } else
        model.assumed.push_back(shown(vocabulary) + " or merges.txt is missing, so token ids have no text.");
}

} // namespace

Family fsmtFamily() {
    return {"FSMT", describeFsmt};
}

} // namespace headroom::models
