// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/corpus/exports/export_corpus.h"

#include "core/corpus/corpus_reading.h"
#include "core/corpus/exports/exported_split.h"
#include "core/corpus/kinds/recording_check.h"
#include "core/errors/error.h"

#include <algorithm>
#include <array>
#include <set>

namespace headroom {

namespace fs = std::filesystem;

namespace {

constexpr std::array kExports{
    ExportKind{"fairseq", "SPLIT_TASK.tsv of fairseq S2T", writeFairseqSplit},
    ExportKind{"kaldi", "SPLIT/wav.scp, segments, text, text.LANGUAGE, utt2spk, spk2utt and utt2lang",
               writeKaldiSplit},
    ExportKind{"nemo", "SPLIT.json, one line per utterance and language", writeNemoSplit},
    ExportKind{"lhotse", "recordings_SPLIT.jsonl.gz and supervisions_SPLIT.jsonl.gz", writeLhotseSplit},
};

/// Files of the same stem get a number.
class RecordingNames {
public:
    const std::string& of(const fs::path& file) {
        auto& name = m_names[file];
        if (!name.empty())
            return name;
        std::string stem = file.stem().string();
        std::replace_if(
            stem.begin(), stem.end(), [](char c) { return c == ' ' || c == '\t'; }, '_');
        name = stem;
        for (int count = 2; !m_taken.insert(name).second; ++count)
            name = stem + "-" + std::to_string(count);
        return name;
    }

private:
    std::map<fs::path, std::string> m_names;
    std::set<std::string> m_taken;
};

/// The recording itself and not our link to it.
fs::path realPath(const fs::path& file, std::map<fs::path, fs::path>& folders) {
    const auto [entry, fresh] = folders.try_emplace(file.parent_path());
    std::error_code error;
    if (fresh)
        entry->second = fs::canonical(file.parent_path(), error);
    return error ? fs::absolute(file) : entry->second / file.filename();
}

std::vector<ExportedSplit> splitsOf(const fs::path& corpus, const ExportKind& kind) {
    CorpusImport request;
    request.from = corpus;
    SourceReading reading(request);
    readOwn(reading);
    std::map<fs::path, fs::path> folders;
    for (auto& utterance : reading.utterances())
        utterance.audio = realPath(utterance.audio, folders);
    const auto checked = checkRecordings(reading.utterances(), 0, {});
    std::vector<ExportedSplit> splits;
    RecordingNames names;
    for (auto& utterance : reading.utterances()) {
        const auto& recording = checked.at(utterance.audio);
        if (utterance.speed != 1 && kind.name != "fairseq")
            throw Error("corpus.notExported", utterance.id + " is at another speed, which tables of " +
                                                  std::string(kind.name) +
                                                  " cannot say; perturb the speed with that toolkit.");
        if (!recording.refusal.empty())
            throw Error(recording.code, utterance.id + ": " + recording.refusal + ".");
        if (splits.empty() || splits.back().name != utterance.split) {
            splits.push_back({utterance.split, reading.language(), {}, {}});
            names = {};
        }
        for (const auto& [language, text] : utterance.texts)
            if (auto& known = splits.back().translations;
                language != reading.language() &&
                std::find(known.begin(), known.end(), language) == known.end())
                known.push_back(language);
        const auto& name = names.of(utterance.audio);
        splits.back().utterances.push_back({std::move(utterance), recording.facts, name});
    }
    return splits;
}

} // namespace

Frames ExportedUtterance::frames() const {
    return framesOf(samples(), SampleRate(rateAtSpeed(facts.rate.hertz(), row.speed)));
}

std::string ExportedUtterance::text(const std::string& language) const {
    const auto found = row.texts.find(language);
    return found == row.texts.end() ? std::string() : found->second;
}

std::span<const ExportKind> exportKinds() {
    return kExports;
}

const ExportKind& exportKind(std::string_view name) {
    const auto found =
        std::find_if(kExports.begin(), kExports.end(), [&](const auto& kind) { return kind.name == name; });
    if (found != kExports.end())
        return *found;
    std::string known;
    for (const auto& kind : kExports)
        known += (known.empty() ? "" : ", ") + std::string(kind.name);
    throw Error("corpus.noKind",
                "A corpus cannot be exported as “" + std::string(name) + "”; it can as " + known + ".");
}

void exportCorpus(const fs::path& corpus, const ExportKind& kind, const fs::path& out) {
    std::error_code ignored;
    if (fs::exists(out, ignored) && !(fs::is_directory(out, ignored) && fs::is_empty(out, ignored)))
        throw Error("corpus.exists", out.string() + " already exists and is not an empty folder.", {{"file", out.string()}});
    const auto hidden = out.parent_path() / ("." + out.filename().string() + ".making");
    try {
        fs::remove_all(hidden);
        fs::create_directories(hidden);
        for (const auto& split : splitsOf(corpus, kind))
            kind.write(split, hidden);
        fs::rename(hidden, out);
    } catch (const fs::filesystem_error& error) {
        throw Error("corpus.unwritable",
                    out.string() + " could not be written: " + error.code().message() + ".",
                    {{"file", out.string()}});
    }
}

} // namespace headroom
