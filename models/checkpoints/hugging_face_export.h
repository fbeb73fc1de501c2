// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/checkpoints/checkpoint.h"
#include "models/checkpoints/unfinished_folder.h"

#include <string>

namespace headroom::models {

/// Everything of a Hugging Face Speech2Text folder but the weights, whose names are ours: config.json,
/// generation_config.json, preprocessor_config.json, and with a tokenizer sentencepiece.bpe.model,
/// vocab.json, tokenizer_config.json, special_tokens_map.json. Throws Error "model.notSpeech2Text", naming
/// the first thing that this form cannot say: a head that is not full, another norm, a CTC output …
void writeHuggingFace(const Checkpoint& model, const std::string& licence, UnfinishedFolder& out);

} // namespace headroom::models
