// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/checkpoints/model_folder.h"
#include "models/layers/parameters.h"
#include "models/networks/speech_model.h"

namespace headroom::models {

/// A model folder in memory: everything checked, weights in float32.
struct Checkpoint {
    ModelInfo info;
    Parameters parameters;
    ModelFolder folder;
};

/// Reads either form of model folder. Errors: as SpeechModel::open.
Checkpoint readCheckpoint(const std::filesystem::path& folder);

} // namespace headroom::models
