// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/worker/arguments/align_arguments.h"

#include <CLI/CLI.hpp>

namespace headroom::training {

CLI::App* declareAlignArguments(CLI::App& app, AlignOptions& options) {
    auto* command = app.add_subcommand(
        "align", "align the words and phones of a known text: NAME.TextGrid for each recording");
    command->add_option("AUDIO", options.audio, "recordings, with NAME.txt beside each");
    command->add_option("--data", options.data, "a corpus instead");
    command->add_option("--split", options.split, "split of the corpus; default: all");
    command->add_option("--text", options.text, "transcript of the recording");
    command->add_option("--out", options.out, "folder for NAME.TextGrid");
    command->add_option("--aligner", options.aligner,
        "folder of an aligner to use instead of the built-in one");
    command->add_flag("--compare", options.compare, "compare with existing alignments");
    command->add_option("--measured", options.measured,
                        "with --compare: save the result in the aligner's record, under this name");
    command->add_option("--reference", options.reference,
        "with --measured: source of the existing alignments");
    command->add_flag("--real", options.real, "with --measured: real speech, not synthetic");
    return command;
}

void checkAlignArguments(const AlignOptions& options) {
    if (options.audio.empty() == options.data.empty())
        throw CLI::ValidationError("AUDIO, --data", "give either recordings or a corpus");
    if (!options.text.empty() && options.audio.size() != 1)
        throw CLI::ValidationError("--text", "needs exactly one recording");
    if (options.out.empty() && !options.compare)
        throw CLI::ValidationError("--out", "is required unless --compare is given");
    if (!options.measured.empty() && !options.compare)
        throw CLI::ValidationError("--measured", "needs --compare");
}

} // namespace headroom::training
