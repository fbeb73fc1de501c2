// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/alignment/phone_tasks.h"
#include "training/corpus/demo_corpus.h"
#include "training/worker/commands.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <utility>

namespace headroom::training {

namespace {

std::string minutesOf(double seconds) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.1f min", seconds / 60);
    return text.data();
}

} // namespace

void corpus(const CorpusOptions& options, Console& console) {
    DemoCorpusOptions demo;
    demo.out = options.out;
    demo.minutes = options.minutes;
    demo.seed = options.seed;
    demo.processes = options.processes;
    demo.invented = options.invented;
    std::int64_t shown = 0;
    const auto summary = makeDemoCorpus(demo, [&](double done, double wanted) {
        // A word for each fortieth, not for each utterance.
        const auto step = static_cast<std::int64_t>(std::floor(40 * done / wanted));
        if (std::exchange(shown, step) != step)
            console.progress(static_cast<std::int64_t>(done), static_cast<std::int64_t>(std::ceil(wanted)),
                             "seconds spoken");
    });
    auto splits = nlohmann::json::object();
    double seconds = 0;
    std::int64_t utterances = 0;
    for (const auto& [name, split] : summary.splits) {
        splits[name] = {{"utterances", split.utterances}, {"seconds", split.seconds}};
        seconds += split.seconds;
        utterances += split.utterances;
        console.line(name + ": " + std::to_string(split.utterances) + " utterances, " +
                     minutesOf(split.seconds));
    }
    console.line(options.out.string() + ": " + std::to_string(utterances) + " utterances, " +
                 minutesOf(seconds) + ", " + std::to_string(summary.words) + " English words, " +
                 std::to_string(summary.voices) + " voices");
    console.document({{"format", "headroom/corpus-summary"},
                      {"version", 1},
                      {"corpus", options.out.string()},
                      {"seed", options.seed},
                      {"utterances", utterances},
                      {"seconds", seconds},
                      {"splits", splits},
                      {"words", summary.words},
                      {"voices", summary.voices},
                      {"pieces", summary.pieces}});
}

void corpusPhones(const std::filesystem::path& data, Console& console) {
    const auto summary = addPhoneTasks(data);
    for (const auto& sentence : summary.leftOut)
        console.note(sentence);
    for (const auto& [split, utterances] : summary.utterances)
        console.line(split + ": " + std::to_string(utterances) + " utterances with phones");
    console.document({{"format", "headroom/phone-tasks"},
                      {"version", 1},
                      {"corpus", data.string()},
                      {"tasks", {"phones", "phone_frames"}},
                      {"utterances", summary.utterances},
                      {"leftOut", summary.leftOutCount}});
}

} // namespace headroom::training
