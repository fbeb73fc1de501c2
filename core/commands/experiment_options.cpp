// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/commands/experiment_options.h"

#include <nlohmann/json.hpp>

namespace headroom {

std::vector<std::string> arguments(const ExperimentOptions& options) {
    std::vector<std::string> words{"experiment"};
    const auto add = [&](const char* name, const std::string& value) {
        if (!value.empty())
            words.insert(words.end(), {name, value});
    };
    if (!options.name.empty())
        words.push_back(options.name);
    if (options.list)
        words.emplace_back("--list");
    add("--data", options.data.string());
    add("--out", options.out.string());
    if (options.seeds)
        add("--seeds", std::to_string(*options.seeds));
    for (const std::string& step : options.steps)
        add("--steps", step);
    if (options.scale != 1)
        add("--scale", nlohmann::json(options.scale).dump());
    add("--place", options.place);
    if (options.device != "cpu")
        add("--device", options.device);
    return words;
}

} // namespace headroom
