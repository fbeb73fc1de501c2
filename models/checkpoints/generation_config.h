// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/checkpoints/model_folder.h"

#include <string>

namespace headroom::models {

/// Reads generation_config.json of a folder of Whisper's family into `model.tokens`; what it does not define
/// is taken from config.json, otherwise from the pieces of the tokenizer, with a sentence in `assumed`. Tokens to suppress
/// that the vocabulary lacks, and alignment heads that the decoder lacks, are ignored, with a sentence too.
/// Throws Error "model.badConfig" for other tokens outside the vocabulary.
void readTokenRules(const std::filesystem::path& folder, ModelFolder& model);

/// Returns generation_config.json of a model folder of Headroom's, with the keys of Hugging Face.
std::string generationText(const TokenRules& rules);

} // namespace headroom::models
