// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/worker/arguments/study_arguments.h"

#include "core/studies/settings.h"
#include "training/worker/arguments/shipped_file.h"

#include <CLI/CLI.hpp>

namespace headroom::training {

namespace {

/// What stands below the options in `study --help` and `study KIND --help`.
std::string settingsFooter(const CLI::App& command) {
    const auto& given = command.get_option("KIND")->results();
    try {
        if (!given.empty())
            return studySettingsHelp(studyKind(given.front()));
    } catch (const Error& unknown) {
        return std::string(unknown.what()) + "\n";
    }
    return "headroom-worker study KIND --help lists the settings of a kind with their ranges and defaults.\n";
}

} // namespace

CLI::App* declareStudyArguments(CLI::App& app, StudyOptions& options) {
    auto* command = app.add_subcommand("study", "measure models on many utterances; the study is a folder");
    command->add_option("KIND", options.kind, "windows, diagonality, heads, phones, probe, latency, mixing or similarity");
    orShippedArchitecture(command->add_option("--model", options.models,
                                              "model folders, one or several; for latency also architecture documents (.json)"));
    command->add_option("--name", options.names, "what the study calls each --model; repeatable; default: its own name")->take_all();
    orShippedArchitecture(
        command->add_option("--draft", options.draft, "architecture file: every model with its heads, untrained"));
    command->add_option("--maps", options.maps, "folder of imported maps (.npz) instead of models");
    command->add_option("--data", options.data, "corpus, manifest, folder of recordings, or one recording");
    command->add_option("--audio", options.audio, "recordings to use instead of --data");
    command->add_option("--alignment", options.alignments,
                        "alignment of each of --audio (none: without one); default: the file beside it");
    command->add_option("--id", options.ids, "name of each of --audio in lists of alignments; repeatable; default: its file name")->take_all();
    command
        ->add_option("--text", options.texts,
                     "sentence to use instead of --data, for models that read text; repeatable")
        ->take_all();
    command->add_option("--out", options.out, "folder of the study");
    command->add_option("--split", options.split, "split of the corpus; default: the only one, test or dev");
    command->add_option("--task", options.task, "task of the corpus; default: asr or the first");
    command->add_option("--utterances", options.utterances, "sample size, without replacement")
        ->capture_default_str()
        ->check(CLI::Range(1, 10000000));
    command->add_option("--seed", options.seed, "seed of the sample and all random numbers")
        ->capture_default_str();
    command->add_option("--set", options.set, "KEY=JSON: a setting of the kind (study KIND --help); repeatable")
        ->take_all();
    command->add_flag("--figures", options.figures, "also draw the figures");
    command->add_option("--threads", options.threads, "utterances in parallel; 0: one per processor")
        ->capture_default_str()
        ->check(CLI::Range(0, 1024));
    command->add_option("--cache", options.cache, "folder of the measurement cache, with --place a folder there; default: the user's");
    command->add_option("--place", options.place, "compute at this place, with the study here; see `places list`");
    command->add_option("--device", options.device, "auto, cpu, cuda or cuda:K; see `devices`")
        ->default_str("cpu; at a place, its device; with --resume, as before");
    auto* resume =
        command->add_option("--resume", options.resumed, "resume the study in --out, or in this folder")
            ->expected(0, 1);
    for (const char* what : {"KIND", "--model", "--name", "--draft", "--maps", "--data", "--audio", "--alignment", "--id", "--text", "--split",
                             "--task", "--utterances", "--seed", "--set"})
        resume->excludes(command->get_option(what)); // the folder says all of that
    command->parse_complete_callback([&options, resume] { options.resume = resume->count() > 0; });
    command->add_flag("--json", options.json, "also print study.json to standard output");
    command->footer([command] { return settingsFooter(*command); });
    return command;
}

void checkStudyArguments(const StudyOptions& options) {
    if (options.out.empty() && options.resumed.empty())
        throw CLI::RequiredError("--out");
    if (!options.out.empty() && !options.resumed.empty() && options.out != options.resumed)
        throw CLI::ValidationError("--resume", "names a different folder than --out");
    if (options.resume)
        return;
    if (options.kind.empty())
        throw CLI::RequiredError("KIND");
    if (options.models.empty() && options.maps.empty())
        throw CLI::RequiredError("--model or --maps");
    if (!options.models.empty() && !options.maps.empty())
        throw CLI::ValidationError("--maps", "replaces --model");
    if (!options.names.empty() && options.names.size() != options.models.size())
        throw CLI::ValidationError("--name", "needs one name for each --model");
    if (!options.draft.empty() && !options.maps.empty())
        throw CLI::ValidationError("--draft", "needs --model; imported maps have no heads to change");
    if (!options.data.empty() && !options.audio.empty())
        throw CLI::ValidationError("--audio", "replaces --data");
    if (!options.alignments.empty() && options.alignments.size() != options.audio.size())
        throw CLI::ValidationError("--alignment", "needs one file (or none) for each recording of --audio");
    if (!options.ids.empty() && options.ids.size() != options.audio.size())
        throw CLI::ValidationError("--id", "needs one name for each recording of --audio");
    if (!options.texts.empty() && (!options.data.empty() || !options.audio.empty()))
        throw CLI::ValidationError("--text", "replaces --data and --audio");
    if (!options.texts.empty() && !options.maps.empty())
        throw CLI::ValidationError("--text", "needs --model; imported maps belong to recordings");
    if (options.data.empty() && options.audio.empty() && options.texts.empty() && options.maps.empty() &&
        options.kind != "latency")
        throw CLI::RequiredError("--data, --audio or --text");
}

} // namespace headroom::training
