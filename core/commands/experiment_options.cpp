// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/commands/experiment_options.h"

#include "core/commands/command_line.h"

namespace headroom {

std::vector<std::string> arguments(const ExperimentOptions& options) {
    CommandLine line({"experiment"});
    line.word(options.name);
    line.flag("--list", options.list);
    line.flag("--hours", options.hours);
    if (options.rate)
        line.option("--rate", *options.rate);
    line.option("--data", options.data);
    line.option("--out", options.out);
    if (options.seeds)
        line.option("--seeds", static_cast<std::int64_t>(*options.seeds));
    for (const std::string& step : options.steps)
        line.option("--steps", step);
    if (options.scale != 1)
        line.option("--scale", options.scale);
    line.option("--queue", options.queue);
    line.option("--place", options.place);
    if (options.device != "cpu")
        line.option("--device", options.device);
    return std::move(line).words();
}

} // namespace headroom
