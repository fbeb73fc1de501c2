// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/layers/parameters.h"
#include "models/networks/speech_model.h"

namespace headroom::models {

/// Makes a model in memory, without a folder: every parameter of the architecture by name, float32, under
/// `name`, for recordings of up to 60 s or the window of its front end. Its hash, folder and tokenizer are empty. Throws Error "model.languageModel".
std::unique_ptr<SpeechModel> madeSpeechModel(const std::string& name, const Architecture& architecture,
                                             const Parameters& parameters);

} // namespace headroom::models
