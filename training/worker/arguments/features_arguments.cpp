// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/worker/arguments/features_arguments.h"

#include <CLI/CLI.hpp>

namespace headroom::training {

CLI::App* declareFeaturesArguments(CLI::App& app, FeaturesOptions& options) {
    auto* command = app.add_subcommand("features", "write log-mel features after CMVN as .npy");
    command->add_option("AUDIO", options.audio, "recordings")->required();
    command->add_option("--out", options.out, "folder for NAME.npy")->required();
    command->add_flag("--raw", options.raw, "before CMVN");
    command->add_flag("--pitch", options.pitch,
                      "83 features: the mel bins, followed by three of pitch as Kaldi computes them");
    return command;
}

} // namespace headroom::training
