// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/checkpoints/model_info.h"

#include <filesystem>
#include <string>
#include <vector>

namespace headroom::models {

enum class ModelFormat { Headroom, HuggingFace };

struct ImportOptions {
    ModelFormat format = ModelFormat::Headroom; ///< the format to write
    std::filesystem::path tokenizer; ///< a SentencePiece model to use instead of the one beside the source
};

/// The result of an import.
struct ImportReport {
    ModelInfo model;                ///< of the written folder, read back
    std::string sourceKind;         ///< "Hugging Face Speech2Text", "fairseq", "Headroom"
    std::string sourceStoredAs;     ///< "float16 fairseq, PyTorch": the original form of the weights
    std::vector<std::string> files; ///< the files written, names within the folder
    std::string licence;            ///< from the front matter of the model card; empty if not stated
};

/// Turns a model of somebody else's into a model folder of our own, or any model into Hugging Face's
/// Speech2Text form, or FSMT if it translates texts (README.md of this folder). `source`: a folder, or a file of weights (*.bin, *.pt,
/// *.safetensors) with what belongs to it beside it. The weights keep their precision; tables of sinusoidal
/// positions and counters are left out. `out` must not exist or be empty; it appears whole or not at all.
/// Nothing of a pickle is executed. Throws Error "model.…": as SpeechModel::open, "model.alreadyOurs",
/// "model.notSpeech2Text" or "model.notFsmt" for what Hugging Face's form cannot say, "model.exists", "model.unwritable".
ImportReport importModel(const std::filesystem::path& source, const std::filesystem::path& out,
                         const ImportOptions& options = {});

} // namespace headroom::models
