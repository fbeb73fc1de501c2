// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model_folders/espnet_weights.h"

#include <string>
#include <vector>

namespace headroom {

namespace fs = std::filesystem;

EspnetWeights espnetWeightsIn(const fs::path& folder) {
    std::vector<fs::path> all, averages;
    std::error_code failure, ignored;
    for (fs::directory_iterator entry(folder, failure), end; !failure && entry != end; entry.increment(failure)) {
        const std::string name = entry->path().filename().string();
        if (entry->path().extension() != ".pth" || name == "checkpoint.pth" || !entry->is_regular_file(ignored))
            continue;
        all.push_back(entry->path());
        if (name.find(".ave") != std::string::npos)
            averages.push_back(entry->path());
    }
    for (const char* usual : {"valid.acc.ave.pth", "valid.loss.ave.pth"})
        if (fs::is_regular_file(folder / usual, ignored))
            return {folder / usual};
    if (averages.size() == 1)
        return {averages.front()};
    if (all.size() == 1)
        return {all.front()};
    return {{}, !all.empty()};
}

} // namespace headroom
