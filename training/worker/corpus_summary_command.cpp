// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/corpus/corpus_summary.h"
#include "core/errors/count_text.h"
#include "core/runs/recipe.h"
#include "training/worker/corpus_import_command.h"

#include <array>
#include <cstdio>

namespace headroom::training {

namespace {

std::string decimal(const char* form, double value) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), form, value);
    return text.data();
}

std::string partText(const LeftOutFacts::Part& part, const std::string& why) {
    return part.utterances == 0
               ? std::string()
               : ", " + why + ": " + grouped(part.utterances) + " (" + hoursOf(part.seconds) + ")";
}

void showSplits(const CorpusSummary& summary, const LengthLimits& limits, Console& console) {
    for (const auto& split : summary.splits) {
        console.line(split.name + ": " + counted(split.utterances, "utterance") + ", " +
                     hoursOf(split.seconds) + ", " +
                     counted(static_cast<std::int64_t>(split.speakers.size()), "speaker"));
        const auto left = leftOutBy(split, limits);
        const auto parts = partText(left.withoutText, "without text") + partText(left.tooShort, "too short") +
                           partText(left.tooLong, "too long");
        console.line("  kept " + grouped(left.kept.utterances) + " (" + hoursOf(left.kept.seconds) + ")" +
                     parts);
        for (const auto& text : split.texts)
            if (text.words > 0)
                console.line("  " + text.language + ": " + decimal("%.2f", text.meanRate()) +
                             " words per second");
    }
}

void showVocabularies(const CorpusSummary& summary, Console& console) {
    for (const auto& one : summary.vocabularies) {
        std::string line = "words, " + one.language + ": " + grouped(one.different) + " different of " +
                           grouped(one.running);
        for (const auto& [split, share] : one.unknown)
            line += "; unknown in " + split + " " + decimal("%.1f %%", 100 * share);
        console.line(line);
    }
}

} // namespace

void corpusSummary(const CorpusSummaryOptions& options, Console& console) {
    Recipe recipe;
    if (!options.recipe.empty())
        recipe = readRecipe(options.recipe);
    const LengthLimits limits{recipe.data.minFrames, recipe.data.maxFrames};
    const auto corpus = openTranscribed(options.data);
    const std::string task = !options.task.empty() ? options.task : options.recipe.empty() ? "" : recipe.task;
    std::int64_t shown = 0;
    const auto summary = summariseCorpus(corpus, task, [&](std::int64_t done, std::int64_t total) {
        if (done > 0 && total > 0 && done - shown >= total / 10) {
            shown = done;
            console.progress(done, total, "utterances");
        }
        return true;
    });
    console.line(options.data.string() + ": " + summary->name + ", task " + summary->task + ", " +
                 counted(summary->utterances(), "utterance") + ", " + hoursOf(summary->seconds()));
    console.line("limits: " + grouped(limits.least) + " to " + grouped(limits.most) + " frames of 10 ms" +
                 (options.recipe.empty() ? "" : " (" + recipe.name + ")"));
    showSplits(*summary, limits, console);
    console.line("speakers in several splits: " +
                 grouped(static_cast<std::int64_t>(summary->sharedSpeakers.size())));
    showVocabularies(*summary, console);
    for (const auto& defect : summary->defects) {
        const auto number = static_cast<std::int64_t>(defect.utterances.size());
        console.line("defect, " + std::string(defectWord(defect.kind)) + ": " + defectTitle(defect.code) +
                     ", " + counted(number, "utterance") +
                     "; the first: " + defect.utterances.front().sentence);
    }
    auto document = toJson(*summary, limits);
    document["corpus"] = options.data.string();
    console.document(document);
}

} // namespace headroom::training
