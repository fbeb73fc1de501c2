// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/worker/arguments/experiment_arguments.h"

#include <CLI/CLI.hpp>

namespace headroom::training {

CLI::App* declareExperimentArguments(CLI::App& app, ExperimentOptions& options) {
    auto* command = app.add_subcommand(
        "experiment", "repeat a table of a paper: train, decode, measure; writes the paper's numbers beside ours");
    command->add_option("NAME", options.name, "an experiment from --list, or the path of a document that ends in .json");
    command->add_flag("--list", options.list, "list the experiments with their tables and what they need");
    auto* hours = command->add_flag("--hours", options.hours,
                                    "train nothing: predict how many hours the runs of NAME (with --list, all "
                                    "runs) take, from the speed of this machine and the corpora in --data, or "
                                    "their published sizes");
    command->add_option("--rate", options.rate, "with --hours: frames per second of every run, instead of measuring them")
        ->check(CLI::PositiveNumber)
        ->needs(hours);
    command->add_option("--data", options.data, "a corpus, or a folder with the corpora that --list names");
    command->add_option("--out", options.out, "folder of the experiment; an unfinished one is continued");
    command->add_option("--seeds", options.seeds, "runs of every training step, each with another seed; default: as in the paper")
        ->check(CLI::Range(1, 1000));
    command->add_option("--scale", options.scale, "shrink updates, width and data; 1: as in the paper")
        ->capture_default_str()
        ->check(CLI::Range(1e-6, 1.0));
    command->add_option("--steps", options.steps,
                        "run only these steps and those that they need: names or patterns with *, separated by "
                        "commas; other cells stay empty until a later start without this option")
        ->delimiter(',');
    command->add_option("--queue", options.queue,
                        "a folder of runs: on this machine, take turns with its queue, so that two never train at once");
    command->add_option("--place", options.place, "train, study and decode at this place; see `places list`");
    return command;
}

void checkExperimentArguments(const ExperimentOptions& options) {
    if (options.list)
        return;
    if (options.name.empty())
        throw CLI::RequiredError("NAME or --list");
    if (options.hours)
        return;
    if (options.out.empty())
        throw CLI::RequiredError("--out");
}

} // namespace headroom::training
