// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/loop/norm_statistics.h"
#include "training/loop/trainer.h"

namespace headroom::training {

/// Returns the checkpoint of the best validation (TrainState::best), or the newest one if there is none or it was removed; the
/// journal says the latter. Throws Error "train.noCheckpoint".
std::filesystem::path bestCheckpoint(Journal& journal, const nlohmann::json& best);

/// Writes model/ of a run from the mean of `files`, whose BatchNorm gets statistics of its own if there are several. `like`:
/// the parameters in training. Returns a clause for the log that says what model/ is. Throws the errors of averageOf and
/// exportModel.
std::string writeRunModel(Journal& journal, const TrainSetup& setup, const std::vector<std::filesystem::path>& files,
                          const models::Parameters& like, const StatisticsSource& statistics);

} // namespace headroom::training
