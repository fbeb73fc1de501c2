// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

namespace headroom {

/// What an ESPnet training folder has to open.
struct EspnetWeights {
    std::filesystem::path file; ///< the weights that its recipes decode with; empty: none, or none that can be chosen
    bool several = false;       ///< there are files of weights, but no choice among them
};

/// Chooses valid.acc.ave.pth, else valid.loss.ave.pth, the only average, or the only *.pth. checkpoint.pth, which resumes a training, does
/// not count. A folder that cannot be read has none.
EspnetWeights espnetWeightsIn(const std::filesystem::path& folder);

} // namespace headroom
