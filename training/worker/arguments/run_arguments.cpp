// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/worker/arguments/run_arguments.h"
#include "training/worker/arguments/shipped_file.h"

#include <CLI/CLI.hpp>

namespace headroom::training {

CLI::App* declareTrainArguments(CLI::App& app, TrainOptions& options, bool& json) {
    auto* command = app.add_subcommand("train", "train a model; the run is a folder");
    orShippedArchitecture(command->add_option("--architecture", options.architecture, "architecture file"));
    orShippedRecipe(command->add_option("--recipe", options.recipe, "recipe file"));
    command->add_option("--data", options.data, "corpus");
    command->add_option("--run", options.run, "folder of the run")->required();
    command->add_option("--start-from", options.startFrom, "initial weights: MODEL, a checkpoint of a run (RUN@500, RUN@best, RUN@last), or the encoder of either (MODEL:encoder)");
    auto* seed = command->add_option("--seed", options.seed, "overrides the recipe's machine.seed");
    auto* seeds = command
                      ->add_option("--seeds", options.seeds,
                                   "several seeds, such as 1-3 or 1,4: one run RUN_seed-N each, at a place; on "
                                   "a Slurm cluster they are one job array")
                      ->excludes(seed);
    auto* resume = command->add_flag("--resume", options.resume, "resume the run if it exists");
    command->add_option("--set", options.set, "dotted.key=JSON: override a value of the recipe")->take_all();
    command
        ->add_option("--ranks", options.ranks,
                     "processes that share each batch, on the machine that trains; for a Slurm job, over all nodes")
        ->default_str("1; at a place, as many as it says")
        ->check(CLI::Range(1, 1024));
    command->add_option("--device", options.device, "auto, cpu, cuda or cuda:K, see `devices`; all: every GPU, with a rank on each")
        ->default_str("cpu; at a place, its device");
    auto* place = command->add_option("--place", options.place, "train at this place and watch it from here; see `places list`");
    seeds->needs(place);
    command
        ->add_flag("--all-checkpoints", options.allCheckpoints,
                   "copy every checkpoint that the run keeps to this machine, not only the last and the best")
        ->needs(place);
    command
        ->add_flag("--script-only", options.hold,
                   "on a Slurm cluster: only write the script, here RUN/job.sh; --resume submits it, with your changes")
        ->needs(place)
        ->excludes(seeds);
    command
        ->add_flag("--watch", options.watch,
                   "only watch a run that was started elsewhere at the place; never start or resume it")
        ->excludes(resume)
        ->excludes(seeds);
    command->add_flag("--json", json, "print one JSON document to standard output");
    return command;
}

void checkTrainArguments(const CLI::App& command, const TrainOptions& options) {
    if (options.resume || options.watch)
        return;
    for (const char* needed : {"--architecture", "--recipe", "--data"})
        if (command.get_option(needed)->empty())
            throw CLI::RequiredError(needed);
}

CLI::App* declareQueueArguments(CLI::App& app, QueueOptions& options) {
    auto* command = app.add_subcommand("queue", "run the jobs in RUNS/queue, one after the other, detached");
    command->add_option("RUNS", options.runs, "folder of runs")->required();
    command->add_flag("--stay", options.stay, "stay attached; ends when the queue is empty");
    return command;
}

CLI::App* declareDemoArguments(CLI::App& corpus, CorpusOptions& options, bool& json) {
    auto* command = corpus.add_subcommand(
        "demo", "English sentences with German and Spanish translations, spoken by espeak-ng");
    command->add_option("--out", options.out, "the new folder")->required();
    command->add_option("--minutes", options.minutes, "minutes of speech, over all splits")
        ->capture_default_str()
        ->check(CLI::Range(0.01, 6000.0));
    command->add_option("--seed", options.seed, "seed of sentences and voices")
        ->capture_default_str();
    command->add_option("--processes", options.processes, "number of processes; 0: one per processor")
        ->capture_default_str()
        ->check(CLI::Range(0, 256));
    command->add_option("--invented", options.invented,
                        "share of utterances of invented words, without translation")
        ->capture_default_str()
        ->check(CLI::Range(0.0, 0.9));
    auto* text = command->add_flag("--text", options.text, "parallel text, without recordings: tasks translate, translate_es");
    command->add_option("--sentences", options.sentences, "pairs of sentences of --text, over all splits")
        ->capture_default_str()
        ->check(CLI::Range(100, 1'000'000));
    for (const char* spoken : {"--minutes", "--processes", "--invented"})
        text->excludes(command->get_option(spoken));
    command->add_flag("--json", json, "print one JSON document to standard output");
    return command;
}

} // namespace headroom::training
