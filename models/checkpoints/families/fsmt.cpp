// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/architecture/language_layers.h"
#include "core/text/largest_vocabulary.h"
#include "core/text/tokenizer.h"
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

/// Either one matrix embeds source and target and makes the output, or the source has a vocabulary and an embedding of its
/// own. In both the output is the decoder's embedding, whatever the configuration says: the library's class ties them.
void readVocabularies(const JsonFile& config, Architecture& architecture) {
    constexpr std::int64_t kFewest = 4, kMost = kLargestVocabulary;
    const auto source = config.integer("src_vocab_size", kFewest, kMost), target = config.integer("tgt_vocab_size", kFewest, kMost);
    const bool shared = config.boolean("tie_word_embeddings");
    if (shared && source != target)
        config.refuse("model.badConfig",
                      ": “tie_word_embeddings” asks for one embedding of both languages, and “src_vocab_size” is " +
                          std::to_string(source) + ", “tgt_vocab_size” " + std::to_string(target),
                      {{"key", "tie_word_embeddings"}});
    architecture.vocabulary = static_cast<int>(target);
    architecture.frontEnd.vocabulary = shared ? 0 : static_cast<int>(source);
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

void findVocabularies(const fs::path& folder, bool shared, ModelFolder& model) {
    const fs::path source = folder / "vocab-src.json", target = shared ? source : folder / "vocab-tgt.json";
    if (!fs::exists(source) && fs::exists(folder / "sentencepiece.model")) { // from us: the library reads none
        model.tokenizer = folder / "sentencepiece.model";
        model.sourceTokenizer = sourceTokenizerIn(folder);
        return;
    }
    for (const fs::path& file : {source, target, folder / "merges.txt"})
        if (!fs::exists(file)) {
            model.assumed.push_back(shown(file) + " is missing, so token ids have no text.");
            return;
        }
    if (shared)
        checkVocabularies(folder);
    else
        model.sourceTokenizer = source;
    model.tokenizer = target;
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
    readVocabularies(config, model.architecture);
    const bool shared = model.architecture.frontEnd.vocabulary == 0;
    model.maxSourceFrames = model.maxTargetTokens = sizeIn(config, "max_position_embeddings");
    model.tied = true;
    model.names.leftOut = {"model.decoder.output_projection.", "lm_head."};
    if (shared)
        model.names.leftOut.emplace_back("model.encoder.embed_tokens.");
    readPositionTables(model, config);
    findVocabularies(found.path, shared, model);
}

} // namespace

Family fsmtFamily() {
    return {"FSMT", describeFsmt};
}

} // namespace headroom::models
