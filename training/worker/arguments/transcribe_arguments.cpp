// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/worker/arguments/transcribe_arguments.h"

#include "training/worker/arguments/decoding_arguments.h"
#include "training/worker/arguments/not_empty.h"

#include <CLI/CLI.hpp>

namespace headroom::training {

CLI::App* declareTranscribeArguments(CLI::App& app, TranscribeOptions& options, bool& json) {
    auto* command = app.add_subcommand("transcribe", "print transcripts, one line per recording: NAME, tab, text");
    command->add_option("--model", options.model, "model folder")->required();
    command->add_option("AUDIO", options.audio, "recordings")->required();
    declareDecodingArguments(*command, options.decoding, options.windows);
    command->add_option("--language", options.language,
                        "spoken language: for a model with an adapter per language (MMS), such as fra, "
                        "default: that of tokenizer_config.json; for one that is told the language (Whisper, "
                        "greedy decoding), such as fr, default: the likeliest")
        ->check(notEmpty());
    const std::string tokens = "Tokens of the prompt (Whisper, greedy decoding)";
    command->add_option("--task", options.task, "transcribe, or translate into English")
        ->check(CLI::IsMember({"transcribe", "translate"}))
        ->group(tokens);
    command
        ->add_flag("--timestamps", options.timestamps,
                   "with the start and end of each segment, in seconds: [0.00 - 2.40] text")
        ->group(tokens);
    command->add_flag("--alignment", options.alignment,
                      "with --json: when each word of the best text begins and ends, by cross-attention or CTC");
    command->add_option("--attention", options.attention,
                        "folder: write NAME.npz with the attention of encoder and decoder over each recording and its texts, "
                        "under the names of analyse --maps --decoder");
    command->add_flag("--json", json, "print one JSON document to standard output");
    return command;
}

void checkTranscribeArguments(TranscribeOptions& options, bool json) {
    if (options.alignment && !json)
        throw CLI::ValidationError("--alignment", "needs --json, which has the times of words");
    checkDecodingArguments(options.decoding, options.windows);
}

} // namespace headroom::training
