// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/checkpoints/checkpoint.h"
#include "models/networks/speech_model.h"

#include <memory>

namespace headroom::models {

/// A Transformer language model as SpeechModel::openToAnalyse() returns it. Throws Error "model.languageModel" for an
/// LSTM, which has no attention.
std::unique_ptr<SpeechModel> analysedLanguageModel(Checkpoint checkpoint);

} // namespace headroom::models
