// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/loop/trainer.h"
#include "training/worker/console.h"

#include <filesystem>
#include <string>
#include <vector>

namespace headroom::training {

/// Sets the global CMVN of a front end that reads Kaldi's features: that of the start model, whose weights know it, else that of the
/// training data in `data`, if the recipe wants one. A resumed run has it already. Says in `notes` or on the console which it is.
/// Throws what reading the start model or the corpus' statistics throws.
void setGlobalCmvn(TrainSetup& setup, const std::filesystem::path& data, Console& console, std::vector<std::string>& notes);

} // namespace headroom::training
