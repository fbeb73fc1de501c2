// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"
#include "models/layers/parameters.h"

#include <filesystem>
#include <string>
#include <vector>

namespace headroom::training {

struct ExportedModel {
    Architecture architecture;
    std::filesystem::path tokenizer;            ///< copied as sentencepiece.model
    std::string source;                         ///< of provenance.json: what it was trained as
    std::vector<std::filesystem::path> weights; ///< the checkpoints that it is the mean of
    std::int64_t maxSourceFrames = 6000;
};

/// Writes a model folder (contracts: "A model is a folder") that SpeechModel::open opens: float32 weights,
/// CTC where the document has it. The folder appears whole, in the place of an earlier one. Throws Error
/// "model.unwritable".
void exportModel(const std::filesystem::path& folder, const models::Parameters& parameters,
                 const ExportedModel& about);

} // namespace headroom::training
