// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/alignment/readers.h"
#include "core/corpus/corpus.h"
#include "core/errors/count_text.h"
#include "core/errors/display_name.h"
#include "core/features/features.h"
#include "core/tensors/atomic_file.h"
#include "core/time/rounded_time.h"
#include "training/alignment/aligner.h"
#include "training/alignment/boundary_errors.h"
#include "training/worker/commands.h"
#include "training/worker/recordings.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <iterator>

namespace headroom::training {

namespace fs = std::filesystem;

namespace {

/// One recording with what is said in it.
struct Spoken {
    std::string id;
    fs::path audio, alignment; ///< alignment: that of others; empty: none
    std::string text;
};

std::string textBeside(const fs::path& audio) {
    const auto file = fs::path(audio).replace_extension(".txt");
    std::ifstream stream(file, std::ios::binary);
    if (!stream)
        throw Error("align.noText",
                    displayName(audio) + " has no transcript. Write it to " + displayName(file) +
                        ", or use --text.",
                    {{"file", displayName(audio)}});
    return {std::istreambuf_iterator<char>(stream), {}};
}

std::vector<Spoken> spokenIn(const Corpus& corpus, const std::string& split) {
    std::vector<Spoken> result;
    const auto& document = corpus.document();
    const CorpusTask* recognition = document.task("asr");
    const std::string name = (recognition ? *recognition : document.tasks.at(0)).name;
    for (const auto& one : split.empty() ? document.splits : std::vector<std::string>{split})
        for (const auto& utterance : corpus.utterances(one, name))
            result.push_back({utterance.id, utterance.audio, utterance.alignment,
                              utterance.sourceText.empty() ? utterance.text : utterance.sourceText});
    return result;
}

std::string today() {
    const std::time_t now = std::time(nullptr);
    std::array<char, 16> text{};
    std::tm parts{};
    ::gmtime_r(&now, &parts);
    std::strftime(text.data(), text.size(), "%Y-%m-%d", &parts);
    return text.data();
}

nlohmann::json toJson(const BoundaryErrors& errors) {
    return {{"n", errors.count},
            {"medianMs", known(errors.median)},
            {"p90Ms", known(errors.ninetieth)},
            {"within20ms", known(errors.within20)},
            {"within50ms", known(errors.within50)}};
}

std::string inWords(const char* what, const BoundaryErrors& errors) {
    if (errors.count == 0)
        return std::string(what) + ": none to compare";
    std::array<char, 200> text{};
    std::snprintf(
        text.data(), text.size(),
        "%s: n = %lld, median %.1f ms, 90 %% within %.1f ms; %.1f %% within 20 ms, %.1f %% within 50 ms",
        what, static_cast<long long>(errors.count), roundedTime(errors.median, 1), roundedTime(errors.ninetieth, 1), 100 * errors.within20,
        100 * errors.within50);
    return text.data();
}

class AlignCommand {
public:
    AlignCommand(const AlignOptions& options, Console& console) : m_options(options), m_console(console) {}

    void run() {
        const auto folder = m_options.aligner.empty() ? builtInAlignerFolder() : m_options.aligner;
        if (folder.empty())
            throw Error("aligner.missing", "The built-in aligner (resources/aligner) is not installed.");
        const auto spoken = inputs();
        if (!m_options.out.empty())
            makeFolder(m_options.out);
        m_aligner = Aligner::open(folder);
        auto rows = nlohmann::json::array();
        std::vector<fs::path> audio;
        for (const auto& one : spoken)
            audio.push_back(one.audio);
        const auto names = resultNames(audio);
        for (std::size_t i = 0; i < spoken.size(); ++i) {
            m_console.progressAt(static_cast<std::int64_t>(i), static_cast<std::int64_t>(spoken.size()),
                                 spoken[i].id);
            rows.push_back(one(spoken[i], names[i]));
        }
        finish(folder, std::move(rows));
    }

private:
    std::vector<Spoken> inputs() {
        std::vector<Spoken> result;
        if (!m_options.data.empty()) {
            const auto corpus = Corpus::open(m_options.data);
            for (const auto& problem : corpus.problems())
                if (problem.leftOut)
                    m_console.note(problem.sentence);
            result = spokenIn(corpus, m_options.split);
        }
        for (const auto& audio : m_options.audio) {
            try {
                result.push_back({audio.stem().string(), audio, alignmentBeside(audio),
                                  m_options.text.empty() ? textBeside(audio) : m_options.text});
            } catch (const Error& error) {
                m_console.problem(error.what());
            }
        }
        return result;
    }

    nlohmann::json one(const Spoken& spoken, const std::optional<std::string>& name) {
        nlohmann::json row{{"id", spoken.id},
                           {"audio", spoken.audio.string()},
                           {"textGrid", nullptr},
                           {"words", nullptr},
                           {"phones", nullptr},
                           {"confidence", nullptr},
                           {"warnings", nlohmann::json::array()},
                           {"error", nullptr}};
        const auto failed = [&](const std::string& sentence) {
            m_console.problem(sentence);
            row["error"] = sentence;
            return row;
        };
        try {
            if (!name)
                return failed(nameTaken(spoken.audio));
            const auto part = loadNoted(spoken.audio, m_console);
            const auto duration =
                kModelSampleRate.duration(Samples(static_cast<std::int64_t>(part.samples.size())));
            const auto found =
                m_aligner->align(modelFeatures(part.samples), duration, spokenPhones(spoken.text));
            for (const auto& warning : found.alignment.warnings) {
                m_console.note(spoken.id + ": " + warning.sentence);
                row["warnings"].push_back({{"code", warning.code}, {"sentence", warning.sentence}});
            }
            const auto counts = [](const std::vector<Interval>& tier, const char* silence) {
                return std::count_if(tier.begin(), tier.end(),
                                     [&](const Interval& interval) { return interval.label != silence; });
            };
            row["words"] = counts(found.alignment.words, "");
            row["phones"] = counts(found.alignment.phones, "sil");
            row["confidence"] = known(found.confidence);
            if (!m_options.out.empty()) {
                const auto file = m_options.out / (*name + ".TextGrid");
                writeTextGrid(file, textGridOf(found.alignment, duration));
                row["textGrid"] = file.string();
                m_console.line(file.string() + ": " + counted(row["words"].get<std::int64_t>(), "word") +
                               ", " + counted(row["phones"].get<std::int64_t>(), "phone"));
            }
            if (m_options.compare && !spoken.alignment.empty())
                m_comparison.add(found.alignment, readAlignment(spoken.alignment, {spoken.id, spoken.audio}, duration));
            return row;
        } catch (const Error& error) {
            return failed(sentenceAbout(spoken.audio, error));
        }
    }

    void finish(const fs::path& folder, nlohmann::json rows) {
        const auto& record = m_aligner->record();
        nlohmann::json compared;
        if (m_options.compare) {
            const auto phones = m_comparison.phones(), words = m_comparison.words();
            compared = {{"utterances", m_comparison.utterances()},
                        {"phones", toJson(phones)},
                        {"words", toJson(words)},
                        {"phoneBiasMs", known(m_comparison.phoneBias())}};
            m_console.line("compared with the alignments of " +
                           counted(m_comparison.utterances(), "utterance") + ":");
            m_console.line(inWords("starts of phones", phones));
            m_console.line(inWords("starts of words", words));
            if (!m_options.measured.empty())
                writeDown(folder, {m_options.measured, m_options.reference, m_options.real, today(),
                                   m_comparison.utterances(), phones, words});
        }
        m_console.line(record.origin());
        m_console.document({{"format", "headroom/forced-alignment"},
                            {"version", 1},
                            {"aligner", folder.string()},
                            {"origin", record.origin()},
                            {"utterances", std::move(rows)},
                            {"compared", std::move(compared)}});
    }

    /// Into the aligner's own record, in the place of what was measured on the same set before.
    static void writeDown(const fs::path& folder, MeasuredErrors measured) {
        auto record = readAlignerRecord(folder / "aligner.json");
        const auto same = std::find_if(record.measured.begin(), record.measured.end(),
                                       [&](const MeasuredErrors& one) { return one.set == measured.set; });
        if (same != record.measured.end())
            *same = std::move(measured);
        else
            record.measured.push_back(std::move(measured));
        writeAtomically(folder / "aligner.json", alignerRecordText(record), "aligner.unwritable");
    }

    const AlignOptions& m_options;
    Console& m_console;
    std::unique_ptr<Aligner> m_aligner;
    BoundaryComparison m_comparison;
};

} // namespace

void align(const AlignOptions& options, Console& console) {
    AlignCommand(options, console).run();
}

} // namespace headroom::training
