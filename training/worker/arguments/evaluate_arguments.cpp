// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/worker/arguments/evaluate_arguments.h"

#include "training/worker/arguments/decoding_arguments.h"
#include "training/worker/arguments/not_empty.h"
#include "training/worker/arguments/shipped_file.h"

#include <CLI/CLI.hpp>

namespace headroom::training {

CLI::App* declareEvaluateArguments(CLI::App& app, EvaluateOptions& options) {
    auto* command = app.add_subcommand("evaluate", "compute WER and BLEU of a model on a split");
    command->add_option("--model", options.model, "model folder")->required();
    orShippedArchitecture(command->add_option("--draft", options.draft, "architecture file: the model with its heads, untrained"));
    command->add_option("--data", options.data, "corpus")->required();
    command->add_option("--split", options.split, "split of the corpus")->required();
    command->add_option("--task", options.task, "task of the corpus, if it has several");
    command->add_option(
        "--language", options.language,
        "spoken language: for models that are told it (Whisper), default: the corpus's; for models with an "
        "adapter per language (MMS), default: that of tokenizer_config.json")
        ->check(notEmpty());
    command
        ->add_option("--checkpoint", options.checkpoint, "for the model of a run: best or last, instead of the exported model")
        ->check(CLI::IsMember({"best", "last"}));
    command->add_option("--out", options.out, "folder for the results")->required();
    command->add_option("--glm", options.glm,
                        "also sclite's WER after these mapping rules, as score --metric wer-sclite --glm computes it");
    declareDecodingArguments(*command, options.decoding, options.windows);
    command->add_flag("--attention", options.attention,
                      "also write attention/N.npz for line N of hypotheses.txt: the attention of encoder and decoder over the "
                      "recording and its texts, under the names of analyse --maps --decoder");
    command->add_option("--place", options.place, "compute at this place, with the results here; see `places list`");
    command->add_flag("--leave", options.leaves, "with --place: a signal only ends watching, and the same "
                                                 "command finds the evaluation again");
    return command;
}

} // namespace headroom::training
