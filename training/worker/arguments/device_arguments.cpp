// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/worker/arguments/device_arguments.h"

#include <CLI/CLI.hpp>
#include <set>
#include <string_view>

namespace headroom::training {

void declareDevice(CLI::App& app, std::string& device) {
    static const std::set<std::string_view> placed{"evaluate", "serve"};
    for (const char* name :
         {"analyse", "transcribe", "translate", "evaluate", "check", "bench", "serve", "experiment", "suggest"})
        app.get_subcommand(name)
            ->add_option("--device", device, "auto, cpu, cuda or cuda:K; see `devices`")
            ->default_str(placed.contains(name) ? "cpu; at a place, its device" : "cpu");
}

} // namespace headroom::training
