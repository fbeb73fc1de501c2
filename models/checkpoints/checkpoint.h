// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/checkpoints/model_folder.h"
#include "models/checkpoints/model_info.h"
#include "models/checkpoints/named_tensors.h"
#include "models/layers/parameters.h"

namespace headroom::models {

/// A model folder in memory: validated, weights in float32.
struct Checkpoint {
    ModelInfo info;
    Parameters parameters;
    ModelFolder folder;
};

/// Reads a model of any form (describeModelFolder). `tokenizer`: a SentencePiece model to use instead of the
/// one beside it. Errors: as SpeechModel::open.
Checkpoint readCheckpoint(const std::filesystem::path& folderOrFile,
                          const std::filesystem::path& tokenizer = {});

/// Returns the file's tensors under Headroom's names.
NamedTensors modelWeights(const ModelFolder& model);

} // namespace headroom::models
