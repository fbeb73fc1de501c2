// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/worker/arguments/translate_arguments.h"

#include "training/worker/arguments/decoding_arguments.h"

#include <CLI/CLI.hpp>

namespace headroom::training {

CLI::App* declareTranslateArguments(CLI::App& app, TranslateOptions& options, bool& json) {
    auto* command =
        app.add_subcommand("translate", "print the translation of every line of text files, one per line");
    command->add_option("--model", options.model, "model folder that reads text")->required();
    command->add_option("TEXT", options.texts, "text files, one sentence per line")->required();
    declareDecodingArguments(*command, options.decoding);
    command->add_flag("--json", json, "print one JSON document to standard output");
    return command;
}

} // namespace headroom::training
