// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/alignment/phones.h"
#include "core/alignment/readers.h"
#include "core/alignment/validator.h"
#include "core/audio/audio_file.h"
#include "core/corpus/corpus_phones.h"
#include "core/errors/count_text.h"
#include "training/worker/commands.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <mutex>
#include <set>
#include <thread>

namespace headroom::training {

namespace {

namespace fs = std::filesystem;

struct Checked {
    double seconds = 0;
    CheckedAlignment alignment;
};

std::string number(double value) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.2f", value);
    if (std::isnan(value))
        return "–";
    return text.front() == '-' ? std::string("\u2212") + (text.data() + 1) : text.data();
}

/// Every utterance with an alignment once, whatever tasks and splits it stands in.
std::vector<Utterance> aligned(const Corpus& corpus) {
    std::vector<Utterance> result;
    std::set<std::pair<std::string, fs::path>> seen;
    for (const auto& table : corpus.tables())
        for (const auto& utterance : table.utterances)
            if (!utterance.alignment.empty() && seen.emplace(utterance.id, utterance.alignment).second)
                result.push_back(utterance);
    return result;
}

Checked checkOne(const Utterance& utterance, const PhoneMap& map) {
    Checked checked;
    try {
        const auto recording = loadRecording(utterance.audio);
        checked.seconds = recording.duration().value();
        checked.alignment = readCheckedAlignment(utterance.alignment, {utterance.id, utterance.audio}, recording.duration(), map,
                                                 recording.samples);
    } catch (const Error& error) { // the recording's
        checked.alignment.report.findings = {
            {AlignmentFinding::Severity::Error, error.code(), error.what(), {}, {}, {}, {}}};
    }
    return checked;
}

std::vector<Checked> checkAll(const std::vector<Utterance>& utterances, const PhoneMap& map,
                              Console& console) {
    std::vector<Checked> results(utterances.size());
    std::atomic<std::size_t> next = 0, done = 0;
    std::mutex mutex;
    const auto work = [&] {
        for (auto at = next++; at < utterances.size(); at = next++) {
            results[at] = checkOne(utterances[at], map);
            const std::scoped_lock lock(mutex);
            if (++done % std::max<std::size_t>(1, utterances.size() / 40) == 0)
                console.progress(static_cast<std::int64_t>(done),
                                 static_cast<std::int64_t>(utterances.size()), "alignments checked");
        }
    };
    const auto threads = std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, 16);
    std::vector<std::jthread> others;
    for (std::size_t i = 1; i < std::min(threads, utterances.size()); ++i)
        others.emplace_back(work);
    work();
    others.clear(); // joins
    return results;
}

const char* nameOf(AlignmentFinding::Severity severity) {
    return severity == AlignmentFinding::Severity::Error ? "error" : "warning";
}

void say(const Utterance& utterance, const AlignmentReport& report, Console& console) {
    console.line(utterance.id + ": " + (report.usable() ? "" : "left out, ") +
                 counted(report.phones, "phone") + ", " + counted(report.words, "word") +
                 (std::isnan(report.fit) ? "" : ", fit " + number(report.fit)) +
                 (std::isnan(report.coverage) ? "" : ", coverage " + number(report.coverage)));
    for (const auto& finding : report.findings)
        console.line("    " + std::string(nameOf(finding.severity)) + " at " + number(finding.start.value()) +
                     " s: " + finding.sentence);
}

nlohmann::json documentOf(const Utterance& utterance, const Checked& checked) {
    const auto& report = checked.alignment.report;
    auto findings = nlohmann::json::array();
    for (const auto& finding : report.findings)
        findings.push_back({{"severity", nameOf(finding.severity)},
                            {"code", finding.code},
                            {"sentence", finding.sentence},
                            {"start", finding.start.value()},
                            {"end", finding.end.value()},
                            {"label", finding.label}});
    return {{"id", utterance.id},
            {"audio", utterance.audio.string()},
            {"alignment", utterance.alignment.string()},
            {"seconds", checked.seconds},
            {"usable", report.usable()},
            {"words", report.words},
            {"phones", report.phones},
            {"fit", known(report.fit)},
            {"coverage", known(report.coverage)},
            {"findings", findings}};
}

/// Where an utterance's TextGrid goes: by its id, which may name folders but none above.
void convert(const fs::path& out, const Utterance& utterance, const Checked& checked) {
    const fs::path name(utterance.id);
    if (name.is_absolute() || std::find(name.begin(), name.end(), fs::path("..")) != name.end())
        throw Error("alignments.outside",
                    utterance.id + " would be written outside " + out.string() + ".");
    auto file = out / name;
    file += ".TextGrid";
    std::error_code ignored;
    fs::create_directories(file.parent_path(), ignored);
    writeTextGrid(file, textGridOf(*checked.alignment.alignment, Seconds(checked.seconds)));
}

} // namespace

void alignments(const AlignmentsOptions& options, Console& console) {
    const auto corpus = Corpus::open(options.data);
    const auto utterances = aligned(corpus);
    if (utterances.empty())
        throw Error("alignments.none", options.data.string() + " has no alignments.",
                    {{"data", options.data.string()}});
    const auto map = phoneMapOf(corpus, utterances, options.map);
    const auto results = checkAll(utterances, map, console);
    LabelCounts labels;
    auto documents = nlohmann::json::array();
    std::int64_t leftOut = 0, written = 0;
    for (std::size_t i = 0; i < results.size(); ++i) {
        const auto& report = results[i].alignment.report;
        say(utterances[i], report, console);
        documents.push_back(documentOf(utterances[i], results[i]));
        leftOut += !report.usable();
        for (const auto& [label, count] : report.labels)
            labels[label] += count;
        if (options.out.empty() || !results[i].alignment.alignment)
            continue;
        try {
            convert(options.out, utterances[i], results[i]);
            ++written;
        } catch (const Error& error) {
            console.problem(error.what());
        }
    }
    auto unknown = nlohmann::json::array();
    for (const auto& [label, count] : labels)
        if (!map.knows(label)) {
            const auto near = map.nearest(label);
            unknown.push_back({{"label", label}, {"count", count}, {"nearest", near}});
            console.line("unknown to the map " + map.title() + ": “" + label + "”, " +
                         counted(count, "time"));
        }
    console.line(counted(static_cast<std::int64_t>(results.size()), "alignment") + ", map " + map.title() +
                 (options.out.empty() ? "" : ", " + counted(written, "TextGrid") + " written"));
    console.document({{"format", "headroom/alignments"},
                      {"version", 1},
                      {"data", options.data.string()},
                      {"map", map.title()},
                      {"unknown", unknown},
                      {"leftOut", leftOut},
                      {"utterances", documents}});
    if (leftOut > 0)
        console.problem(counted(leftOut, "alignment") + " of " +
                        grouped(static_cast<std::int64_t>(results.size())) +
                        " cannot be used in studies; the report lists their errors.");
}

} // namespace headroom::training
