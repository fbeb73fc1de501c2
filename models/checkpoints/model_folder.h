// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace headroom::models {

/// What a model folder, or a file of weights with what lies beside it, says about itself, before its weights
/// are loaded.
struct ModelFolder {
    std::filesystem::path folder;
    bool isOurs = false;
    bool isFairseq = false; ///< neither: Hugging Face's form
    Architecture architecture;
    std::int64_t maxSourceFrames = 6000, maxTargetTokens = 1024;
    bool tied = false;                        ///< the output projection is the embedding
    std::filesystem::path config;             ///< the file that the shapes come from; fairseq: the weights
    std::filesystem::path weights, tokenizer; ///< tokenizer: empty where there is none
    std::vector<std::string> assumed;         ///< as LoadReport::assumed
};

/// What a person calls this model: its folder's name, or, where that is only "model" (a run's, the demo's),
/// the name of the folder above. Of a file: its name without the ending, or its folder's where every training
/// calls its files so ("checkpoint_best.pt", "pytorch_model.bin").
std::string nameOfModel(const std::filesystem::path& folderOrFile);

/// Reads config.json (architecture.json and front_end.json for our own form, the arguments inside a fairseq
/// checkpoint); throws Error "model.…". A file of weights stands for its folder with these weights; a fairseq
/// checkpoint for itself. A folder with neither document and one *.pt stands for that; a run's folder
/// (run.json) for its model/, or throws Error "model.unfinishedRun" while there is none.
ModelFolder describeModelFolder(const std::filesystem::path& folderOrFile);
/// `weights`: empty for the folder's own model.safetensors, else pytorch_model.bin.
ModelFolder describeHuggingFace(const std::filesystem::path& folder,
                                const std::filesystem::path& weights = {});
ModelFolder describeOwnFolder(const std::filesystem::path& folder);
ModelFolder describeFairseq(const std::filesystem::path& file);

/// "Headroom", "Hugging Face Speech2Text", "fairseq".
std::string sourceKind(const ModelFolder& model);

/// The SentencePiece model beside a fairseq checkpoint: the only *.model with as many pieces as the
/// vocabulary. Otherwise none, and a sentence in `assumed`.
void findTokenizer(ModelFolder& model);
/// Throws Error "model.tokenizer" where the SentencePiece model does not keep its promise: another number of
/// pieces than the vocabulary, or another numbering than vocab.json (fairseq: its dictionary) has.
void checkTokenizer(const ModelFolder& model);

/// What this version cannot run, whatever the weights: Error "model.unsupported" or "model.kindNotBuilt".
void checkRunnable(const ModelFolder& model);

/// front_end.json of our own form.
std::string frontEndText(const ModelFolder& model);

} // namespace headroom::models
