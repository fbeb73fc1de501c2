// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/checkpoints/model_folder.h"
#include "models/checkpoints/named_tensors.h"
#include "models/layers/parameters.h"
#include "models/networks/speech_model.h"

namespace headroom::models {

/// A model folder in memory: everything checked, weights in float32.
struct Checkpoint {
    ModelInfo info;
    Parameters parameters;
    ModelFolder folder;
};

/// Reads any form of model (describeModelFolder). `tokenizer`: a SentencePiece model instead of the one
/// beside it. Errors: as SpeechModel::open.
Checkpoint readCheckpoint(const std::filesystem::path& folderOrFile,
                          const std::filesystem::path& tokenizer = {});

/// The file's tensors under our names.
NamedTensors modelWeights(const ModelFolder& model);

} // namespace headroom::models
