// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/worker/suggest/limit.h"
#include "training/worker/suggest_command.h"

#include <CLI/CLI.hpp>

namespace headroom::training {

CLI::App* declareSuggestArguments(CLI::App& app, SuggestOptions& options) {
    auto* command = app.add_subcommand(
        "suggest",
        "suggest a window for every layer: the front of contribution loss and cost, measured on a corpus");
    command->add_option("--model", options.model, "model folder")->required();
    command->add_option("--data", options.data, "corpus, manifest, folder of recordings, or one recording")
        ->required();
    command
        ->add_option(
            "--limit", options.limit,
            "macs=S: at most this share of the attention's multiply–accumulates (scores and A·V); loss=L: at "
            "most this mean contribution loss")
        ->required()
        ->check([](const std::string& text) {
            return SuggestionLimit::parse(text)
                       ? std::string()
                       : "“" + text + "” is not macs= or loss= with a number from 0 to 1";
        });
    command->add_option("--split", options.split, "split of the corpus; default: the only one, test or dev");
    command->add_option("--task", options.task, "task of the corpus; default: asr or the first");
    command->add_option("--utterances", options.utterances, "sample size, without replacement")
        ->capture_default_str()
        ->check(CLI::Range(1, 10000000));
    command->add_option("--seed", options.seed, "seed of the sample")->capture_default_str();
    command->add_option("--out", options.out, "write the suggested architecture to this file (.json)");
    command->add_option("--study", options.study,
                        "keep the measurement in this folder; a finished one is only read");
    command->add_option("--cache", options.cache, "folder of the measurement cache; default: the user's");
    return command;
}

} // namespace headroom::training
