// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/commands/worker_commands.h"

#include "core/commands/command_line.h"

namespace headroom {

namespace fs = std::filesystem;

std::vector<std::string> arguments(const TrainOptions& options) {
    CommandLine line({"train"});
    line.option("--architecture", options.architecture);
    line.option("--recipe", options.recipe);
    line.option("--data", options.data);
    line.option("--run", options.run);
    line.option("--start-from", options.startFrom);
    if (options.seed)
        line.option("--seed", *options.seed);
    line.option("--seeds", options.seeds);
    for (const std::string& assignment : options.set)
        line.option("--set", assignment);
    line.option("--device", options.device);
    if (options.ranks > 0)
        line.option("--ranks", static_cast<std::int64_t>(options.ranks));
    line.option("--place", options.place);
    line.flag("--all-checkpoints", options.allCheckpoints);
    line.flag("--resume", options.resume);
    line.flag("--script-only", options.hold);
    line.flag("--watch", options.watch);
    return std::move(line).words();
}

std::vector<std::string> arguments(const StudyOptions& options) {
    CommandLine line({"study"});
    if (options.resume) {
        line.option("--out", options.out);
        line.word("--resume");
        line.word(options.resumed.string());
    } else {
        line.word(options.kind);
        for (const fs::path& model : options.models)
            line.option("--model", model);
        for (const std::string& name : options.names)
            line.word("--name=" + name);
        line.option("--draft", options.draft);
        line.option("--maps", options.maps);
        line.option("--data", options.data);
        line.option("--split", options.split);
        line.option("--task", options.task);
        if (!options.data.empty() || options.utterances != StudyOptions().utterances)
            line.option("--utterances", options.utterances);
        if (!options.audio.empty())
            line.word("--audio");
        for (const fs::path& recording : options.audio)
            line.word(recording.string());
        if (!options.alignments.empty())
            line.word("--alignment");
        for (const fs::path& alignment : options.alignments)
            line.word(alignment.string());
        for (const std::string& id : options.ids)
            line.word("--id=" + id);
        for (const std::string& text : options.texts)
            line.word("--text=" + text); // one word, because a sentence may begin with a dash
        line.option("--seed", options.seed);
        for (const std::string& assignment : options.set)
            line.option("--set", assignment);
    }
    if (options.threads != 0)
        line.option("--threads", options.threads);
    line.option("--cache", options.cache);
    line.option("--place", options.place);
    line.option("--device", options.device);
    line.flag("--json", options.json);
    line.flag("--figures", options.figures);
    if (!options.resume)
        line.option("--out", options.out);
    return std::move(line).words();
}

std::vector<std::string> arguments(const QueueOptions& options) {
    CommandLine line({"queue"});
    line.word(options.runs.string());
    line.flag("--stay", options.stay);
    return std::move(line).words();
}

std::vector<std::string> arguments(const CorpusOptions& options) {
    const CorpusOptions unset;
    CommandLine line({"corpus", "demo"});
    line.option("--out", options.out);
    if (options.minutes != unset.minutes)
        line.option("--minutes", options.minutes);
    if (options.seed != unset.seed)
        line.option("--seed", options.seed);
    if (options.processes != unset.processes)
        line.option("--processes", static_cast<std::int64_t>(options.processes));
    if (options.invented != unset.invented)
        line.option("--invented", options.invented);
    line.flag("--text", options.text);
    if (options.sentences != unset.sentences)
        line.option("--sentences", options.sentences);
    return std::move(line).words();
}

} // namespace headroom
