// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/worker/arguments/corpus_arguments.h"

#include "core/audio/audio_name.h"
#include "core/corpus/exports/export_corpus.h"
#include "core/corpus/kinds/corpus_kinds.h"

#include <CLI/CLI.hpp>
#include <sstream>

namespace headroom::training {

namespace {

/// "NAME=A,B" → NAME and its parts
std::pair<std::string, std::string> assignmentIn(const char* option, const std::string& text) {
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
        throw CLI::ValidationError(option, "“" + text + "” has no value after “=”");
    return {text.substr(0, equals), text.substr(equals + 1)};
}

void declareOptions(CLI::App& command, CorpusImportOptions& options, bool& json) {
    auto& request = options.request;
    command.add_option("--from", request.from, "folder of the corpus; it is only read");
    command.add_option("--out", request.out, "the new folder");
    command.add_option("--language", request.language, "spoken language, or the source of parallel text, if the corpus does not say it");
    command.add_option_function<std::vector<std::string>>(
        "--split",
        [&](const std::vector<std::string>& given) {
            for (const auto& text : given) {
                auto [name, list] = assignmentIn("--split", text);
                std::vector<std::string> sources;
                std::istringstream words(list);
                for (std::string word; std::getline(words, word, ',');)
                    sources.push_back(word);
                request.splits.emplace_back(name, sources);
            }
        },
        "NAME=A,B: a new split, built from those of the corpus; may be repeated");
    command.add_option_function<std::vector<std::string>>(
        "--hold-out",
        [&](const std::vector<std::string>& given) {
            double sum = 0;
            for (const auto& text : given) {
                const auto [name, number] = assignmentIn("--hold-out", text);
                double percent = 0;
                if (!CLI::detail::lexical_cast(number, percent) || !(percent > 0) || !((sum += percent) < 100))
                    throw CLI::ValidationError("--hold-out", "“" + text + "”: the percentages must be above 0, and together below 100");
                request.heldOut.push_back({name, percent});
            }
        },
        "NAME=PERCENT: a new split with this share of the training utterances, such as dev=5; whole speakers if possible; may be repeated");
    command.add_option_function<std::vector<std::string>>(
        "--map",
        [&](const std::vector<std::string>& given) {
            for (const auto& text : given)
                request.maps.push_back(assignmentIn("--map", text));
        },
        "OLD=NEW: beginning of paths to replace, for tables of another machine; may be repeated");
    command
        .add_option("--speed", request.speeds,
                    "speeds at which the utterances of the splits train… are added again, such as 0.9,1.1")
        ->delimiter(',')
        ->check(CLI::Range(kLowestSpeed, kHighestSpeed));
    command.add_flag("--copy", request.copy, "copy the recordings instead of linking to them");
    command.add_flag("--lowercase", request.lowercase, "write every text in lower case");
    command
        .add_option("--pieces", options.pieces,
                    "size of the SentencePiece models; default: 5000, for translations 8000, for parallel text 10000; a Headroom corpus keeps its own; 0: none")
        ->check(CLI::Range(0, 100000));
    std::vector<std::string> forms;
    for (const auto& kind : exportKinds())
        forms.emplace_back(kind.name);
    command.add_option("--export", options.exports, "also write tables of another toolkit, into OUT/KIND2")
        ->delimiter(',')
        ->check(CLI::IsMember(forms));
    command.add_option("--threads", request.threads, "threads that check recordings; 0: one per processor")
        ->check(CLI::Range(0, 256));
    command.add_flag("--json", json, "print one JSON document to standard output");
}

void requireFolders(const CLI::App& command) {
    for (const char* needed : {"--from", "--out"})
        if (command.get_option(needed)->empty())
            throw CLI::RequiredError(needed);
}

} // namespace

void declareImportArguments(CLI::App& corpus, CorpusImportOptions& options, bool& json,
                            const std::function<void()>& chosen) {
    declareOptions(corpus, options, json);
    corpus.callback([&corpus, &options, chosen] {
        if (!corpus.get_subcommands().empty())
            return;
        requireFolders(corpus);
        options.request.kind.clear();
        chosen();
    });
    for (const auto& kind : corpusKinds()) {
        auto* command = corpus.add_subcommand(std::string(kind.name), std::string(kind.about));
        declareOptions(*command, options, json);
        command->callback([command, &options, name = std::string(kind.name), chosen] {
            requireFolders(*command);
            options.request.kind = name;
            chosen();
        });
    }
}

} // namespace headroom::training
