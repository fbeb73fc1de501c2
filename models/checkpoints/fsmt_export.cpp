// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/checkpoints/fsmt_export.h"

#include "core/tensors/half.h"
#include "core/text/fairseq_dictionary.h"
#include "core/text/tokenizer.h"
#include "core/text/unicode_text.h"
#include "models/checkpoints/json_file.h"
#include "models/checkpoints/library_activations.h"
#include "models/checkpoints/weights.h"
#include "models/layers/positions.h"

#include <algorithm>
#include <cstring>
#include <fstream>

namespace headroom::models {
namespace {

namespace fs = std::filesystem;
using OrderedJson = nlohmann::ordered_json;

constexpr std::int64_t kUnused = 2; ///< rows of a table before that of the first token
constexpr int kControls = 4;        ///< <s>, <pad>, </s>, <unk>
constexpr const char* kEmbedding = "model.decoder.embed_tokens.weight";
constexpr const char* kEncoderTable = "model.encoder.embed_positions.weight";
constexpr const char* kDecoderTable = "model.decoder.embed_positions.weight";

[[noreturn]] void refuseForFsmt(const ModelFolder& model, const std::string& what) {
    throw Error("model.notFsmt",
                shown(model.config) + " has " + what + ", which Hugging Face's FSMT format cannot describe.",
                {{"file", shown(model.config)}, {"reason", what}});
}

bool isSoleGroup(const std::vector<HeadGroup>& groups, HeadKind kind) {
    HeadGroup sole;
    sole.kind = kind;
    sole.count = headCount(groups);
    return groups == std::vector{sole};
}

std::string activationName(const ModelFolder& model) {
    const Activation activation = model.architecture.encoder.activation;
    if (const auto name = nameInLibrary(activation))
        return *name;
    refuseForFsmt(model, "the activation “" + wordOf(activation) + "”");
}

bool hasTables(const Architecture& architecture) {
    return architecture.decoder->positions == TextPositions::Learnt;
}

/// What people may have chosen. Everything else is found by comparison, when the folder is written.
void refuseOtherNetworks(const ModelFolder& model) {
    const Architecture& architecture = model.architecture;
    const Architecture::Encoder& encoder = architecture.encoder;
    if (encoder.kind != EncoderKind::Transformer)
        refuseForFsmt(model, "no Transformer encoder");
    if (!architecture.decoder)
        refuseForFsmt(model, "no decoder");
    const Architecture::Decoder& decoder = *architecture.decoder;
    if (encoder.norm != NormPlace::Post || decoder.norm != NormPlace::Post)
        refuseForFsmt(model, "LayerNorm before its layers");
    for (std::size_t l = 0; l < encoder.layers.size(); ++l)
        if (!isSoleGroup(encoder.layers[l].heads, HeadKind::Full) ||
            encoder.layers[l].headCount() != encoder.layers.front().headCount())
            refuseForFsmt(model,
                          "“" + toText(encoder.layers[l].heads) + "” in layer " + std::to_string(l + 1));
    if (!isSoleGroup(decoder.selfAttention, HeadKind::Masked) ||
        !isSoleGroup(decoder.crossAttention, HeadKind::Full) ||
        headCount(decoder.selfAttention) != headCount(decoder.crossAttention))
        refuseForFsmt(model, "a decoder with other heads");
    if (encoder.positions != (hasTables(architecture) ? Positions::Stored : Positions::Sinusoidal))
        refuseForFsmt(model, "positions “" + wordOf(encoder.positions) + "”");
    if (!decoder.tiedEmbeddings && !model.tied)
        refuseForFsmt(model, "an output projection beside the decoder's embedding");
    if (architecture.ctc)
        refuseForFsmt(model, "a CTC output");
}

/// “en” of dict.en.txt.
std::string languageOfDictionary(const fs::path& file) {
    const std::string language = fs::path(file.stem()).extension().string();
    return language.empty() ? language : language.substr(1);
}

/// The vocabularies: of the source, which may be that of the target, and of the target.
struct VocabularyFiles {
    fs::path source, target;
    bool areDictionaries() const { return target.extension() == ".txt"; }
};

VocabularyFiles vocabulariesOf(const Checkpoint& model) {
    const fs::path& target = model.info.tokenizer;
    return {model.info.sourceTokenizer.empty() ? target : model.info.sourceTokenizer, target};
}

std::int64_t placesOf(const ModelFolder& model) {
    return hasTables(model.architecture) ? model.architecture.decoder->places
                                         : std::max(model.maxSourceFrames, model.maxTargetTokens);
}

/// How the library searches by default.
void addSearch(const ModelFolder& model, OrderedJson& config) {
    config["num_beams"] = 5;
    config["length_penalty"] = 1.0;
    config["early_stopping"] = false;
    config["max_length"] = std::min<std::int64_t>(200, placesOf(model));
    config["bos_token_id"] = 0;
    config["pad_token_id"] = 1;
    config["eos_token_id"] = 2;
    config["decoder_start_token_id"] = 2;
    config["forced_eos_token_id"] = 2;
    config["use_cache"] = true;
}

/// The library's word for the precision that it computes in: that of the decoder's embedding.
std::string dtypeOf(const Checkpoint& model) {
    const DType stored = modelWeights(model.folder).tensor(kEmbedding).dtype;
    return stored == DType::F16 ? "float16" : stored == DType::BF16 ? "bfloat16" : "float32";
}

OrderedJson fsmtConfigOf(const Checkpoint& model) {
    const ModelFolder& folder = model.folder;
    const Architecture& architecture = folder.architecture;
    const Architecture::Encoder& encoder = architecture.encoder;
    const Architecture::Decoder& decoder = *architecture.decoder;
    OrderedJson config;
    config["architectures"] = {"FSMTForConditionalGeneration"};
    config["model_type"] = "fsmt";
    config["is_encoder_decoder"] = true;
    config["dtype"] = dtypeOf(model);
    if (const VocabularyFiles files = vocabulariesOf(model); files.areDictionaries())
        config["langs"] = {languageOfDictionary(files.source), languageOfDictionary(files.target)};
    else if (const fs::path beside = files.target.parent_path() / "tokenizer_config.json"; fs::exists(beside))
        if (const auto settings = JsonFile(beside).object(); settings.contains("langs"))
            config["langs"] = settings.at("langs");
    config["src_vocab_size"] = architecture.sourceVocabulary();
    config["tgt_vocab_size"] = architecture.vocabulary;
    config["tie_word_embeddings"] = architecture.frontEnd.vocabulary == 0;
    config["d_model"] = encoder.width;
    config["encoder_layers"] = encoder.layers.size();
    config["encoder_attention_heads"] = encoder.layers.front().headCount();
    config["encoder_ffn_dim"] = encoder.feedForward;
    config["encoder_layerdrop"] = 0.0;
    config["decoder_layers"] = decoder.layers;
    config["decoder_attention_heads"] = headCount(decoder.selfAttention);
    config["decoder_ffn_dim"] = decoder.feedForward;
    config["decoder_layerdrop"] = 0.0;
    config["max_position_embeddings"] = placesOf(folder);
    config["activation_function"] = activationName(folder);
    config["dropout"] = encoder.dropout;
    config["attention_dropout"] = encoder.attentionDropout;
    config["activation_dropout"] = encoder.activationDropout.value_or(encoder.dropout);
    config["scale_embedding"] = architecture.frontEnd.scaled;
    config["init_std"] = 0.02;
    addSearch(folder, config);
    return config;
}

OrderedJson fsmtGenerationOf(const ModelFolder& model) {
    OrderedJson config;
    addSearch(model, config);
    return config;
}

/// The pieces of a dictionary as FSMT writes them: not “ab@@” and “c”, but “ab” and “c</w>”.
std::string vocabularyText(const fs::path& dictionary, bool& lowerCased) {
    constexpr std::string_view kContinues = "@@";
    const Tokenizer pieces(dictionary);
    OrderedJson vocabulary = OrderedJson::object();
    for (int id = 0; id < pieces.size(); ++id) {
        std::string piece = pieces.piece(id);
        lowerCased = lowerCased && lowerCase(piece) == piece;
        if (id >= kControls && piece.ends_with(kContinues))
            piece.resize(piece.size() - kContinues.size());
        else if (id >= kControls)
            piece += "</w>";
        vocabulary[piece] = id;
    }
    return vocabulary.dump(1) + "\n";
}

void writeDictionaries(const ModelFolder& model, const VocabularyFiles& files, UnfinishedFolder& out) {
    const fs::path codes = FairseqDictionary::codesBeside(files.target);
    if (codes.empty())
        refuseForFsmt(model, "a dictionary of whole words");
    if (FairseqDictionary::endsStandAlone(codes))
        refuseForFsmt(model, "merges of subword-nmt 0.1");
    bool lowerCased = true;
    out.write("vocab-src.json", vocabularyText(files.source, lowerCased));
    out.write("vocab-tgt.json", vocabularyText(files.target, lowerCased));
    std::ifstream in(codes, std::ios::binary);
    std::string merges;
    for (std::string line; std::getline(in, line);)
        if (!line.empty() && !line.starts_with("#version")) // which the library would read as a merge
            merges += line + "\n";
    out.write("merges.txt", merges);
    const OrderedJson settings{
        {"langs", {languageOfDictionary(files.source), languageOfDictionary(files.target)}},
        {"model_max_length", placesOf(model)},
        {"do_lower_case", lowerCased},
        {"tokenizer_class", "FSMTTokenizer"}};
    out.write("tokenizer_config.json", settings.dump(2) + "\n");
}

std::vector<std::string> writeVocabularies(const Checkpoint& model, UnfinishedFolder& out) {
    const VocabularyFiles files = vocabulariesOf(model);
    if (files.target.empty())
        return {};
    if (files.areDictionaries()) {
        writeDictionaries(model.folder, files, out);
        return {};
    }
    if (files.target.filename().string().starts_with("vocab-")) {
        out.copy("vocab-src.json", files.source);
        out.copy("vocab-tgt.json", files.target);
        for (const char* name : {"merges.txt", "tokenizer_config.json"})
            if (const fs::path beside = files.target.parent_path() / name; fs::exists(beside))
                out.copy(name, beside);
        return {};
    }
    if (files.target.extension() != ".model")
        refuseForFsmt(model.folder, "a vocabulary of another kind");
    for (const auto& [name, file] :
         filesOfTokenizer(files.target, files.source == files.target ? fs::path() : files.source))
        out.copy(name, file);
    return {"FSMT's tokenizer does not read SentencePiece models, so they are beside the model: convert "
            "texts with the library SentencePiece."};
}

/// As the library makes them: the row of <pad> is zero.
std::vector<float> sinusoids(std::int64_t rows, std::int64_t width) {
    const at::Tensor table = sinusoidalPositions(0, rows, width);
    const float* values = table.const_data_ptr<float>();
    return {values, values + table.numel()};
}

/// In half precision if `like` is; otherwise float32.
Tensor inPrecision(DType like, std::vector<std::int64_t> shape, const std::vector<float>& values) {
    if (like != DType::F16)
        return Tensor::of<float>(std::move(shape), values);
    Tensor tensor{DType::F16, std::move(shape),
                  std::vector<std::byte>(values.size() * sizeof(std::uint16_t))};
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::uint16_t half = halfFromFloat(values[i]);
        std::memcpy(tensor.bytes.data() + i * sizeof(half), &half, sizeof(half));
    }
    return tensor;
}

/// With the rows that nothing reads.
Tensor afterUnused(const TensorView& table) {
    Tensor result{table.dtype, {table.shape[0] + kUnused, table.shape[1]}, {}};
    result.bytes.resize(table.bytes.size() / static_cast<std::size_t>(table.shape[0]) *
                        static_cast<std::size_t>(kUnused));
    result.bytes.insert(result.bytes.end(), table.bytes.begin(), table.bytes.end());
    return result;
}

} // namespace

bool isTranslator(const Architecture& architecture) {
    return architecture.frontEnd.kind == FrontEndKind::Text && !architecture.languageModel;
}

std::vector<std::string> writeFsmt(const Checkpoint& model, UnfinishedFolder& out) {
    refuseOtherNetworks(model.folder);
    out.write("config.json", fsmtConfigOf(model).dump(2) + "\n");
    out.write("generation_config.json", fsmtGenerationOf(model.folder).dump(2) + "\n");
    return writeVocabularies(model, out);
}

std::map<std::string, Tensor> fsmtTables(const Checkpoint& model) {
    const NamedTensors weights = modelWeights(model.folder);
    std::map<std::string, Tensor> tables;
    for (const char* name : {kEncoderTable, kDecoderTable}) {
        if (hasTables(model.folder.architecture)) {
            tables.emplace(name, afterUnused(weights.tensor(name)));
            continue;
        }
        const std::int64_t rows = placesOf(model.folder) + kUnused,
                           width = model.folder.architecture.encoder.width;
        tables.emplace(name,
                       inPrecision(weights.tensor(kEmbedding).dtype, {rows, width}, sinusoids(rows, width)));
    }
    return tables;
}

void checkFsmt(const Checkpoint& model, const Checkpoint& written) {
    Architecture wanted = model.folder.architecture;
    const Architecture& read = written.folder.architecture;
    wanted.decoder->tiedEmbeddings = true;
    if (wanted.encoder.activationDropout == wanted.encoder.dropout)
        wanted.encoder.activationDropout.reset();
    if (!(read.frontEnd == wanted.frontEnd))
        refuseForFsmt(model.folder, "another input");
    if (!(read.encoder == wanted.encoder))
        refuseForFsmt(model.folder, "an encoder of another form");
    if (!(read.decoder == wanted.decoder) || read.vocabulary != wanted.vocabulary)
        refuseForFsmt(model.folder, "a decoder of another form");
}

} // namespace headroom::models
