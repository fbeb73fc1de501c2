// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"
#include "core/text/token_rules.h"
#include "models/layers/parameters.h"

#include <filesystem>
#include <string>
#include <vector>

namespace headroom::training {

struct ExportedModel {
    Architecture architecture;
    std::filesystem::path tokenizer;            ///< copied as sentencepiece.model
    std::string source;                         ///< of provenance.json: the training that made it
    std::vector<std::filesystem::path> weights; ///< the averaged checkpoints
    std::int64_t maxSourceFrames = 6000;
    TokenRules tokens = {}; ///< written as generation_config.json unless they are S2T's
    std::filesystem::path sourceTokenizer = {}; ///< of sources that have a vocabulary of their own; otherwise empty
};

/// Copies the files of a tokenizer, and of one of the source unless it is empty, into a folder, under their names in a model folder. Throws
/// Error `code`, which names the file.
void copyTokenizer(const std::filesystem::path& tokenizer, const std::filesystem::path& source, const std::filesystem::path& folder,
                   const std::string& code);

/// Writes a model folder (contracts: "A model is a folder") for SpeechModel::open: float32 weights, CTC if
/// the document has it. The folder appears as a whole and replaces an earlier one. A failure leaves the earlier one, and nothing else.
/// Throws Error "model.unwritable".
void exportModel(const std::filesystem::path& folder, const models::Parameters& parameters,
                 const ExportedModel& about);

} // namespace headroom::training
