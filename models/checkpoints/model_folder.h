// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"
#include "core/text/token_rules.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace headroom::models {

/// How the tensors of a file are named. Empty: as ours.
struct NameRules {
    /// Each (part of our name, part of theirs), applied to our name in order, the first occurrence.
    std::vector<std::pair<std::string, std::string>> replacements;
    /// Beginnings of names, in the file, of tensors that play no part in the network; they are left out and
    /// reported.
    std::vector<std::string> leftOut;
    std::vector<std::string> leftOutEndings; ///< the same for ends of names
    /// Names, in the file, of tensors whose last dimension of 1 is dropped: convolutions of kernel 1.
    std::vector<std::string> squeezed;
    /// Names, in the file, of tables whose first rows nothing reads, and how many these are.
    std::vector<std::pair<std::string, std::int64_t>> unusedRows;
    /// The file has our names, and nothing is left out.
    bool areOurs() const { return replacements.empty() && leftOut.empty(); }
};
/// Returns the name in the file of a tensor that we call `name`.
std::string nameInFile(const NameRules& rules, std::string name);

/// The description of a model folder, or of a file of weights with the files beside it, before the weights
/// are loaded.
struct ModelFolder {
    std::filesystem::path folder;
    bool isOurs = false;
    bool isFairseq = false;     ///< if neither: Hugging Face's format
    std::string family;         ///< of Hugging Face's: "wav2vec 2.0"
    NameRules names;            ///< how the file's names differ from ours
    Architecture architecture;
    std::int64_t maxSourceFrames = 6000, maxTargetTokens = 1024;
    TokenRules tokens;                        ///< of the decoder
    bool tied = false;                        ///< the output projection is the embedding
    std::filesystem::path config;             ///< the file that defines the shapes; fairseq: the weights
    std::filesystem::path overlay;            ///< weights that replace those of the same name; empty: none
    std::string language;      ///< whose adapters these are (core/model_folders/language_adapter.h)
    bool isInLanguage = false; ///< it was opened by the file of that language
    std::filesystem::path weights, tokenizer; ///< tokenizer: empty if there is none
    std::filesystem::path sourceTokenizer;    ///< of texts that are read, if these are cut by another than `tokenizer`
    std::vector<std::string> assumed;         ///< as LoadReport::assumed
};

/// Returns the display name of a model: its folder's name (folderName), or the parent folder's name if that is
/// only "model" (of a run, or of the demo). For a file: its name without extension, or its folder's name if all
/// trainings use the same file name ("checkpoint_best.pt", "pytorch_model.bin").
std::string nameOfModel(const std::filesystem::path& folderOrFile);

/// Reads config.json (architecture.json and front_end.json in Headroom's format, the arguments inside a
/// fairseq checkpoint). Throws Error "model.…".
/// - A .nemo archive stands for itself.
/// - The file of a language's adapters stands for its folder in that language.
/// - A file of weights stands for its folder with these weights; a fairseq checkpoint for itself.
/// - A folder with a config.yaml of ESPnet, or a *.pth in it: describeEspnet.
/// - A folder with neither document and one *.pt or *.nemo stands for that file.
/// - A run's folder (run.json) stands for its model/, or throws Error "model.unfinishedRun" if there is none
///   yet.
ModelFolder describeModelFolder(const std::filesystem::path& folderOrFile);
/// A Hugging Face folder of one of the families in models/checkpoints/families. `weights`: empty for the
/// folder's own model.safetensors (or the parts that model.safetensors.index.json lists), otherwise
/// pytorch_model.bin. A file of a language's adapters (MMS) is none of its own: the folder is opened in that
/// language.
ModelFolder describeHuggingFace(const std::filesystem::path& folder,
                                const std::filesystem::path& weights = {});
/// Returns what to open of a model for a language that was asked for: the file of its adapters in the folder.
/// Returns `model` if the language is empty, or the folder has no such file: another model may have a token
/// for it. Throws Error "model.noSuchLanguage", which lists those that are there.
std::filesystem::path modelInLanguage(const std::filesystem::path& model, const std::string& language);
ModelFolder describeOwnFolder(const std::filesystem::path& folder);
ModelFolder describeFairseq(const std::filesystem::path& file);
/// A NeMo archive (.nemo) of a FastConformer: its encoder, and its CTC output if that is its decoder. The
/// archive is not unpacked. Its labels have the text that model_config.yaml lists.
ModelFolder describeNemo(const std::filesystem::path& archive);

/// Whether the folder has a config.yaml of an ESPnet training, and weights (*.pth). Throws Error "model.badConfig" for a YAML file that cannot
/// be read.
bool isEspnetFolder(const std::filesystem::path& folder);
/// The training folder of an ESPnet 2 recipe (config.yaml, *.pth) with a Conformer, Branchformer or E-Branchformer: its
/// encoder and CTC output. `weights`: empty for those that recipes decode with: valid.acc.ave.pth, or the
/// only average, or the only *.pth.
ModelFolder describeEspnet(const std::filesystem::path& folder, const std::filesystem::path& weights = {});

/// Throws Error "model.adapterOnly": the folder holds an adapter (LoRA) and no model.
[[noreturn]] void refuseAdapter(const std::filesystem::path& folder);

/// "Headroom", "Hugging Face wav2vec 2.0", "fairseq", "NeMo", "ESPnet".
std::string sourceKind(const ModelFolder& model);

/// Finds the SentencePiece model beside a fairseq checkpoint: the only *.model with as many pieces as the
/// vocabulary. If there is none, adds a sentence to `assumed`.
void findTokenizer(ModelFolder& model);
/// Finds the dictionaries of a translation model beside a fairseq checkpoint, dict.LANGUAGE.txt for each language. If one is
/// missing, adds a sentence to `assumed`.
void findDictionaries(ModelFolder& model, const std::string& source, const std::string& target);
/// Throws Error "model.tokenizer" if the SentencePiece model does not match: a different number of pieces
/// than the vocabulary, or a different numbering than vocab.json (fairseq: its dictionary).
void checkTokenizer(const ModelFolder& model);

/// Throws Error "model.unsupported" or "model.kindNotBuilt" for a model that this version cannot run with any
/// weights.
void checkRunnable(const ModelFolder& model);

/// Returns front_end.json in Headroom's format.
std::string frontEndText(const ModelFolder& model);

} // namespace headroom::models
