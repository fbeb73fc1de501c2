// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/checkpoints/checkpoint.h"
#include "models/checkpoints/unfinished_folder.h"

#include <map>
#include <string>
#include <vector>

namespace headroom::models {

/// Whether a model translates texts, so that FSMT is Hugging Face's format for it.
bool isTranslator(const Architecture& architecture);

/// Writes everything of an FSMT folder except the weights: config.json, generation_config.json, and
/// vocab-src.json, vocab-tgt.json, merges.txt and tokenizer_config.json for the vocabularies that the library
/// can read: FSMT's own, and fairseq's dictionaries. SentencePiece models are copied. Returns sentences about
/// what the library cannot read. Throws Error "model.notFsmt", which names the first property that this
/// format cannot describe.
std::vector<std::string> writeFsmt(const Checkpoint& model, UnfinishedFolder& out);

/// Returns the tables of positions, [places + 2, width], under their names, as the library saves them: those
/// of the model, or sinusoids in the precision of its embedding.
std::map<std::string, Tensor> fsmtTables(const Checkpoint& model);

/// Throws Error "model.notFsmt" if the folder that was written describes another network than `model`.
void checkFsmt(const Checkpoint& model, const Checkpoint& written);

} // namespace headroom::models
