// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace headroom::models {

/// What a model folder says about itself, before any weight is read.
struct ModelFolder {
    std::filesystem::path folder;
    bool isOurs = false;
    Architecture architecture;
    std::int64_t maxSourceFrames = 6000, maxTargetTokens = 1024;
    bool tied = false;                        ///< the output projection is the embedding
    std::filesystem::path config;             ///< the file that the shapes come from
    std::filesystem::path weights, tokenizer; ///< tokenizer: empty where there is none
    std::vector<std::string> assumed;         ///< as LoadReport::assumed
};

/// What a person calls this model: its folder's name, or, where that is only "model" (a run's, the demo's),
/// the name of the folder above.
std::string nameOfModel(const std::filesystem::path& folder);

/// Reads config.json (architecture.json and front_end.json for our own form) and the tokenizer; throws Error
/// "model.…".
ModelFolder describeModelFolder(const std::filesystem::path& folder);
ModelFolder describeHuggingFace(const std::filesystem::path& folder);
ModelFolder describeOwnFolder(const std::filesystem::path& folder);

/// Throws Error "model.tokenizer" where the SentencePiece model is missing the file's promise: another number
/// of pieces than the vocabulary, or, with a vocab.json, another numbering.
void checkTokenizer(const ModelFolder& model);

/// What this version cannot run, whatever the weights: Error "model.unsupported" or "model.kindNotBuilt".
void checkRunnable(const ModelFolder& model);

/// front_end.json of our own form.
std::string frontEndText(const ModelFolder& model);

} // namespace headroom::models
