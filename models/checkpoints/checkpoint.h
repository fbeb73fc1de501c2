// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/checkpoints/model_folder.h"
#include "models/checkpoints/model_info.h"
#include "models/checkpoints/named_tensors.h"
#include "models/checkpoints/transducer.h"
#include "models/layers/parameters.h"

#include <functional>

namespace headroom::models {

/// A model folder in memory: validated, weights in float32.
struct Checkpoint {
    ModelInfo info;
    Parameters parameters;
    ModelFolder folder;
    std::optional<Transducer> transducer; ///< beside the encoder of a transducer
};

/// Reads a model of any form (describeModelFolder). `tokenizer`: a SentencePiece model to use instead of the
/// one beside it. `say`, if set, is told how much memory large weights will take, before they are read. Errors: as
/// SpeechModel::open.
Checkpoint readCheckpoint(const std::filesystem::path& folderOrFile,
                          const std::filesystem::path& tokenizer = {},
                          const std::function<void(const std::string&)>& say = {});

/// Returns the file's tensors under Headroom's names.
NamedTensors modelWeights(const ModelFolder& model);

} // namespace headroom::models
