// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/networks/speech_model.h"

#include <filesystem>
#include <string>
#include <vector>

namespace headroom::models {

/// What an import did.
struct ImportReport {
    ModelInfo model;                ///< of the written folder, read back
    std::vector<std::string> files; ///< what was written, names within the folder
    std::string licence;            ///< as the model card's front matter says it; empty where it does not
};

/// Turns a Hugging Face Speech2Text folder into a model folder of our own (README.md of this folder): the
/// weights keep their precision and names, the tables of sinusoidal positions are left out. `out` must not
/// exist or be empty; it appears whole or not at all. Weights in PyTorch pickles are refused
/// ("model.pickle"). Throws Error "model.…".
ImportReport importModel(const std::filesystem::path& source, const std::filesystem::path& out);

} // namespace headroom::models
