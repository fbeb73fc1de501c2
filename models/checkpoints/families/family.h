// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/checkpoints/json_file.h"
#include "models/checkpoints/model_folder.h"

#include <filesystem>
#include <string>
#include <vector>

namespace headroom::models {

/// A Hugging Face folder, as every family is given it.
struct HuggingFaceFolder {
    std::filesystem::path path, weights;
    JsonFile config;                ///< config.json
    std::filesystem::path adapters; ///< the file of a language that was asked for; empty: none was
};

/// A family of models: what a folder's config.json turns out to be. A family is this value and the file that
/// makes it; nothing else knows it by name.
struct Family {
    std::string name; ///< that of modelFamilies() (core/model_folders/model_kind.h), which knows the “model_type”s
    /// Fills in architecture, limits, names of tensors, tokenizer and assumptions of `model`, whose folder,
    /// config, weights and family are set. Throws Error "model.…".
    void (*describe)(const HuggingFaceFolder& folder, ModelFolder& model);
};

Family speechToTextFamily();
Family wav2vec2Family();
Family hubertFamily();
Family wavlmFamily();
Family data2vecAudioFamily();
Family wav2vec2BertFamily();
Family parakeetFamily();
Family whisperFamily();
Family astFamily();
Family fsmtFamily();

/// The table: every family that this version opens, one for each of modelFamilies().
const std::vector<Family>& families();

/// Returns the value of a dropout key, or 0.1 with a sentence in `assumed` if there is none.
double dropoutOf(const JsonFile& config, const char* key, std::vector<std::string>& assumed);
/// "activation_dropout", which is inside a feed-forward; `nullopt` if it is absent or equal to `dropout`.
std::optional<double> activationDropoutOf(const JsonFile& config, double dropout);
/// `count` full heads.
std::vector<HeadGroup> headsOf(HeadKind kind, int count);
/// A size: a whole number from 1 to a million.
int sizeIn(const JsonFile& config, const char* key);

} // namespace headroom::models
