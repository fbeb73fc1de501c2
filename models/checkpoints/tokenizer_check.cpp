// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/errors/display_name.h"
#include "core/model_folders/language_adapter.h"
#include "core/text/tokenizer.h"
#include "models/checkpoints/json_file.h"
#include "models/checkpoints/model_folder.h"
#include "models/checkpoints/weights.h"

#include <algorithm>
#include <fstream>

namespace headroom::models {
namespace {

namespace fs = std::filesystem;
constexpr int kFirstOfDictionary = 4; // before it: <s>, <pad>, </s>, <unk>

/// Pieces that the outputs are numbered by.
int outputSize(const Architecture& architecture) {
    return architecture.decoder || architecture.languageModel ? architecture.vocabulary
                                                              : architecture.ctc.value_or(0);
}

[[noreturn]] void refuse(const ModelFolder& model, const std::string& what) {
    throw Error("model.tokenizer", shown(model.tokenizer) + what + ".", {{"file", model.tokenizer.string()}});
}

/// Labels of a CTC output need not all be characters: rows may be left over.
bool mayHaveFewer(const fs::path& tokenizer) {
    return tokenizer.extension() == ".json" || !languageOfAdapter(tokenizer).empty();
}

void checkSize(const ModelFolder& model, const fs::path& file, const Tokenizer& tokenizer, int size) {
    if (mayHaveFewer(file) ? tokenizer.size() > size : tokenizer.size() != size)
        throw Error("model.tokenizer",
                    shown(file) + " has " + std::to_string(tokenizer.size()) + " pieces, and " + shown(model.config) +
                        " expects " + std::to_string(size) + ".",
                    {{"file", file.string()}});
}

void compareWithVocabulary(const ModelFolder& model, const Tokenizer& tokenizer) {
    const fs::path table = model.folder / "vocab.json";
    if (!fs::exists(table))
        return;
    const JsonFile vocabulary(table);
    for (int id = 0; id < tokenizer.size(); ++id) {
        const std::string piece = tokenizer.piece(id);
        if (!vocabulary.has(piece.c_str()) || vocabulary.value(piece.c_str()) != id)
            refuse(model, ": piece " + std::to_string(id) + " is “" + piece + "”, and " + vocabulary.name() +
                              " numbers it differently");
    }
}

/// fairseq's dictionary: "PIECE COUNT" a line, from id 4. It has the name of the SentencePiece model, or is
/// dict.txt.
void compareWithDictionary(const ModelFolder& model, const Tokenizer& tokenizer) {
    fs::path file = fs::path(model.tokenizer).replace_extension(".txt");
    if (!fs::exists(file))
        file = model.tokenizer.parent_path() / "dict.txt";
    std::ifstream stream(file);
    if (!stream)
        return;
    int id = kFirstOfDictionary;
    for (std::string line; std::getline(stream, line); ++id) {
        const std::string piece = line.substr(0, line.rfind(' ') == std::string::npos ? 0 : line.rfind(' '));
        if (id >= tokenizer.size() || tokenizer.piece(id) != piece)
            refuse(model, ": line " + std::to_string(id - kFirstOfDictionary + 1) + " of " + shown(file) +
                              " has another piece than its " + std::to_string(id) + ", “" +
                              (id < tokenizer.size() ? tokenizer.piece(id) : std::string("none")) + "”");
    }
    if (id != tokenizer.size())
        refuse(model, " has " + std::to_string(tokenizer.size()) + " pieces, and " + shown(file) + " has " +
                          std::to_string(id) + " with the four special ones");
}

} // namespace

void findTokenizer(ModelFolder& model) {
    std::vector<fs::path> fitting;
    for (const auto& entry : fs::directory_iterator(model.folder)) {
        if (entry.path().extension() != ".model" || !entry.is_regular_file())
            continue;
        try {
            if (Tokenizer(entry.path()).size() == model.architecture.vocabulary)
                fitting.push_back(entry.path());
        } catch (const Error&) { // another kind of *.model
        }
    }
    const std::string pieces = std::to_string(model.architecture.vocabulary) + " pieces";
    if (fitting.size() == 1)
        model.tokenizer = fitting.front();
    else if (fitting.empty())
        model.assumed.push_back("There is no SentencePiece model with " + pieces + " beside " +
                                shown(model.weights) + ", so token ids have no text.");
    else
        model.assumed.push_back(std::to_string(fitting.size()) + " SentencePiece models with " + pieces +
                                " are beside " + shown(model.weights) +
                                ", and none was chosen, so token ids have no text.");
}

void checkTokenizer(const ModelFolder& model) {
    if (model.tokenizer.empty())
        return;
    try {
        const Tokenizer tokenizer(model.tokenizer);
        checkSize(model, model.tokenizer, tokenizer, outputSize(model.architecture));
        if (!model.sourceTokenizer.empty())
            checkSize(model, model.sourceTokenizer, Tokenizer(model.sourceTokenizer), model.architecture.sourceVocabulary());
        if (model.isFairseq)
            compareWithDictionary(model, tokenizer);
        else if (!model.isOurs && !mayHaveFewer(model.tokenizer))
            compareWithVocabulary(model, tokenizer);
    } catch (const Error& error) {
        if (error.code().rfind("model.", 0) == 0)
            throw;
        throw Error("model.tokenizer", error.what(), error.values());
    }
}

} // namespace headroom::models
