// SPDX-License-Identifier: GPL-3.0-or-later
// What is read off a summary.
#include "core/corpus/corpus_summary.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

namespace headroom {

namespace {

LeftOutFacts::Part partOf(const std::vector<std::int64_t>& frames, std::int64_t from, std::int64_t beyond) {
    LeftOutFacts::Part part;
    const auto end = std::lower_bound(frames.begin(), frames.end(), beyond);
    for (auto at = std::lower_bound(frames.begin(), frames.end(), from); at < end; ++at) {
        ++part.utterances;
        part.seconds += secondsOfFrames(*at);
    }
    return part;
}

nlohmann::json jsonOf(const LeftOutFacts::Part& part) {
    return {{"utterances", part.utterances}, {"seconds", part.seconds}};
}

nlohmann::json jsonOf(const SplitFacts& split, const LengthLimits& limits) {
    auto texts = nlohmann::json::array();
    for (const auto& text : split.texts)
        texts.push_back({{"language", text.language},
                         {"words", text.words},
                         {"differentWords", text.vocabulary.different},
                         {"seconds", text.seconds},
                         {"wordsPerSecond", std::isfinite(text.meanRate()) ? nlohmann::json(text.meanRate())
                                                                           : nlohmann::json()},
                         {"rates", text.rates}});
    const auto left = leftOutBy(split, limits);
    return {{"split", split.name},
            {"utterances", split.utterances},
            {"seconds", split.seconds},
            {"maxFrames", limits.most},
            {"speakers", split.speakers.size()},
            {"unknownLength", split.unusable.size()},
            {"lengths", lengthHistogram(split, 50)},
            {"texts", texts},
            {"leftOut",
             {{"withoutText", jsonOf(left.withoutText)},
              {"tooShort", jsonOf(left.tooShort)},
              {"tooLong", jsonOf(left.tooLong)}}},
            {"kept", jsonOf(left.kept)}};
}

} // namespace

std::int64_t CorpusSummary::utterances() const {
    std::int64_t all = 0;
    for (const auto& split : splits)
        all += split.utterances;
    return all;
}

double CorpusSummary::seconds() const {
    double all = 0;
    for (const auto& split : splits)
        all += split.seconds;
    return all;
}

const SplitFacts& CorpusSummary::split(std::string_view wanted) const {
    for (const auto& split : splits)
        if (split.name == wanted)
            return split;
    throw Error("corpus.noSplit", name + " has no split “" + std::string(wanted) + "”.", {{"split", wanted}});
}

bool stopsTraining(std::optional<std::int64_t> frames, const LengthLimits& limits) {
    return !frames || limits.contains(*frames);
}

LeftOutFacts leftOutBy(const SplitFacts& split, const LengthLimits& limits) {
    constexpr auto kNever = std::numeric_limits<std::int64_t>::max();
    const auto spoken = [&](std::int64_t from, std::int64_t beyond) {
        auto part = partOf(split.frames, from, beyond);
        const auto without = partOf(split.textless, from, beyond);
        part.utterances -= without.utterances;
        part.seconds -= without.seconds;
        return part;
    };
    const std::int64_t beyond = std::max(limits.most + 1, limits.least);
    LeftOutFacts left{partOf(split.textless, 0, kNever), spoken(0, limits.least), spoken(beyond, kNever), spoken(limits.least, beyond)};
    for (const auto& [frames, hasText] : split.unusable) {
        if (hasText && stopsTraining(frames, limits)) {
            ++left.stopping;
            continue;
        }
        LeftOutFacts::Part& part = !hasText ? left.withoutText : *frames < limits.least ? left.tooShort : left.tooLong;
        ++part.utterances;
        ++part.unusable;
    }
    return left;
}

std::vector<std::int64_t> lengthHistogram(const SplitFacts& split, std::int64_t step) {
    std::vector<std::int64_t> counts;
    if (!split.frames.empty())
        counts.resize(static_cast<std::size_t>(split.frames.back() / step) + 1);
    for (const auto frames : split.frames)
        ++counts[static_cast<std::size_t>(frames / step)];
    return counts;
}

nlohmann::json toJson(const CorpusSummary& summary, const SplitLimits& limits) {
    auto splits = nlohmann::json::array();
    for (const auto& split : summary.splits)
        splits.push_back(jsonOf(split, limits.of(split.name)));
    auto vocabularies = nlohmann::json::array();
    for (const auto& one : summary.vocabularies) {
        auto coverage = nlohmann::json::array();
        for (const auto& [words, share] : one.coverage)
            coverage.push_back({words, share});
        vocabularies.push_back({{"language", one.language},
                                {"different", one.different},
                                {"running", one.running},
                                {"coverage", coverage},
                                {"unknown", one.unknown}});
    }
    auto defects = nlohmann::json::array();
    for (const auto& defect : summary.defects) {
        auto utterances = nlohmann::json::array();
        for (const auto& one : defect.utterances)
            utterances.push_back({{"id", one.id}, {"split", one.split}, {"problem", one.sentence}});
        defects.push_back({{"code", defect.code},
                           {"title", defectTitle(defect.code)},
                           {"kind", defectWord(defect.kind)},
                           {"seconds", defect.seconds},
                           {"utterances", utterances}});
    }
    return {{"format", "headroom/corpus-statistics"},
            {"version", 1},
            {"name", summary.name},
            {"task", summary.task},
            {"utterances", summary.utterances()},
            {"seconds", summary.seconds()},
            {"minFrames", limits.training.least},
            {"maxFrames", limits.training.most},
            {"splits", splits},
            {"sharedSpeakers", summary.sharedSpeakers},
            {"vocabularies", vocabularies},
            {"defects", defects}};
}

} // namespace headroom
