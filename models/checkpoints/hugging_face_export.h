// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/checkpoints/checkpoint.h"
#include "models/checkpoints/unfinished_folder.h"

namespace headroom::models {

/// Writes everything of a Hugging Face Speech2Text folder except the weights, whose names are Headroom's:
/// config.json, generation_config.json, preprocessor_config.json, and with a tokenizer
/// sentencepiece.bpe.model, vocab.json, tokenizer_config.json, special_tokens_map.json. Throws Error
/// "model.notSpeech2Text", which names the first property that this format cannot describe: a head that is
/// not full, another norm, a CTC output …
void writeSpeech2Text(const Checkpoint& model, UnfinishedFolder& out);

} // namespace headroom::models
