// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/loop/trainer.h"
#include "training/worker/documents/train_documents.h"

namespace headroom::training {

/// Copies the tokenizers and rules of a setup into RUN/tokenizer and has the setup use the copies: the start model and the corpus they
/// came from may be moved or changed while the run trains, and before it is resumed. Throws Error "run.unwritable", which names the file.
void keepText(TrainSetup& setup, const std::filesystem::path& run);

/// Returns the copies. `nullopt`: the run has none, because an earlier version made it or it is at another machine.
std::optional<TextOfModel> keptText(const std::filesystem::path& run, const Architecture& architecture);

} // namespace headroom::training
