// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/studies/sample.h"

#include "core/alignment/readers.h"
#include "core/audio/audio_name.h"
#include "core/audio/sound_endings.h"
#include "core/commands/worker_commands.h"
#include "core/corpus/corpus.h"
#include "core/corpus/person.h"
#include "core/corpus/problems_of.h"
#include "core/errors/display_name.h"
#include "core/errors/whole_path.h"
#include "core/studies/foreign_maps.h"
#include "training/data/random.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace headroom::training {

namespace fs = std::filesystem;

namespace {

std::string absoluteText(const fs::path& path) {
    std::error_code ignored;
    return wholePath(path, ignored).string();
}

const CorpusTable& tableOf(const Corpus& corpus, const StudyRequest& request) {
    std::set<std::string> splits;
    for (const CorpusTable& table : corpus.tables())
        splits.insert(table.split);
    std::string split = request.split;
    if (split.empty() && splits.size() == 1)
        split = *splits.begin();
    for (const char* usual : {"test", "tst-COMMON", "dev"})
        if (split.empty() && splits.contains(usual))
            split = usual;
    const CorpusTable* first = nullptr;
    for (const CorpusTable& table : corpus.tables()) {
        if (table.split != split || (!request.task.empty() && table.task != request.task))
            continue;
        if (!first || (request.task.empty() && table.task == "asr"))
            first = &table;
    }
    if (first)
        return *first;
    if (split.empty()) {
        std::string names;
        for (const std::string& one : splits)
            names += (names.empty() ? "" : ", ") + one;
        throw Error("corpus.noSplit",
                    absoluteText(request.data) + " has several splits. Set --split to one of " + names + ".");
    }
    corpus.utterances(split, request.task); // says which there are
    throw Error("corpus.noTask", absoluteText(request.data) + " has no table of the split “" + split + "”.");
}

StudyUtterance documentOf(const Utterance& utterance, bool translates) {
    StudyUtterance row;
    row.id = validText(utterance.id);
    if (utterance.audio.empty()) {
        row.text = validText(utterance.sourceText);
    } else {
        row.audio = absoluteText(utterance.audio);
        row.transcript = validText(translates ? utterance.sourceText : utterance.text);
        if (translates)
            row.translation = validText(utterance.text);
    }
    if (!utterance.alignment.empty())
        row.alignment = absoluteText(utterance.alignment);
    row.speaker = validText(personOf(utterance));
    return row;
}

StudySample ofCorpus(const StudyRequest& request) {
    const Corpus corpus = Corpus::open(request.data);
    StudySample sample;
    sample.data = absoluteText(request.data);
    const CorpusTable& table = tableOf(corpus, request);
    for (const CorpusProblem& problem : problemsOf(corpus, table.task, {table.split}))
        sample.problems.push_back(problem.sentence);
    sample.split = table.split;
    sample.task = table.task;
    sample.population = static_cast<std::int64_t>(table.utterances.size());
    const CorpusTask* task = corpus.document().task(table.task);
    const bool translates = task && task->isTranslation();
    for (const auto index : drawWithoutReplacement(sample.population, request.utterances, request.seed))
        sample.utterances.push_back(documentOf(table.utterances[static_cast<std::size_t>(index)], translates));
    return sample;
}

/// The alignment of a recording of the request: the one that is named, which may be gone, or the file beside it. Empty: none.
std::string alignmentOfRecording(const StudyRequest& request, std::size_t recording) {
    const fs::path& audio = request.audio[recording];
    if (request.alignments.empty()) // what lies beside a file is of the whole file
        return audioName(audio).isWhole() ? alignmentBeside(absoluteText(audio)).string() : std::string();
    const fs::path& named = request.alignments.at(recording);
    return named == kNoAlignment ? std::string() : absoluteText(named);
}

/// Ids are those of the request, or stems; where they collide, names of files, as in the window; where these do too, whole paths.
StudySample ofRecordings(const StudyRequest& request) {
    StudySample sample;
    sample.population = static_cast<std::int64_t>(request.audio.size());
    const auto idOf = [&](std::size_t i) { return i < request.ids.size() ? request.ids[i] : request.audio[i].stem().string(); };
    const auto nameOf = [&](std::size_t i) { return request.audio[i].filename().string(); };
    std::map<std::string, int> ids, names;
    for (std::size_t i = 0; i < request.audio.size(); ++i) {
        ++ids[idOf(i)];
        ++names[nameOf(i)];
    }
    for (std::size_t i = 0; i < request.audio.size(); ++i) {
        StudyUtterance row;
        row.audio = absoluteText(request.audio[i]);
        row.id = validText(ids[idOf(i)] == 1 ? idOf(i) : names[nameOf(i)] == 1 && !ids.contains(nameOf(i)) ? nameOf(i) : row.audio);
        row.alignment = alignmentOfRecording(request, i);
        sample.utterances.push_back(std::move(row));
    }
    return sample;
}

/// A text has no name of its own: its id is its number.
StudySample ofTexts(const StudyRequest& request) {
    StudySample sample;
    for (const std::string& text : request.texts) {
        StudyUtterance row;
        row.text = validText(text);
        row.id = "text " + std::to_string(sample.utterances.size() + 1);
        if (row.text.find_first_not_of(" \t\r\n") == std::string::npos)
            throw Error("study.text",
                        "Text " + std::to_string(sample.utterances.size() + 1) + " of --text is empty.");
        sample.utterances.push_back(std::move(row));
    }
    sample.population = static_cast<std::int64_t>(sample.utterances.size());
    return sample;
}

/// The recording beside a file of maps; the file itself where there is none.
fs::path recordingBeside(const fs::path& file) {
    std::error_code ignored;
    const auto sound = soundOfStem(fs::path(file).replace_extension(), [&](const fs::path& one) { return fs::exists(one, ignored); });
    return sound.empty() ? file : sound;
}

/// Maps without a corpus: the files are the population.
StudySample ofMaps(const StudyRequest& request) {
    StudySample sample;
    std::vector<StudyUtterance> all;
    for (const auto& [stem, file] : foreignMapFiles(request.maps)) {
        StudyUtterance row;
        row.id = validText(stem);
        row.audio = absoluteText(recordingBeside(file));
        row.alignment = alignmentBeside(row.audio).string();
        all.push_back(std::move(row));
    }
    sample.data = absoluteText(request.maps);
    sample.population = static_cast<std::int64_t>(all.size());
    for (const auto index : drawWithoutReplacement(sample.population, request.utterances, request.seed))
        sample.utterances.push_back(std::move(all[static_cast<std::size_t>(index)]));
    return sample;
}

} // namespace

std::vector<std::int64_t> drawWithoutReplacement(std::int64_t population, std::int64_t count,
                                                 std::uint64_t seed) {
    std::vector<std::int64_t> all(static_cast<std::size_t>(population));
    std::iota(all.begin(), all.end(), 0);
    const auto drawn = static_cast<std::size_t>(std::clamp(count, std::int64_t(0), population));
    constexpr std::uint64_t kSample = 0x53414D50; // a stream of its own
    Random random({seed, kSample});
    for (std::size_t i = 0; i < drawn; ++i)
        std::swap(all[i],
                  all[i + static_cast<std::size_t>(random.below(population - static_cast<std::int64_t>(i)))]);
    all.resize(drawn);
    std::sort(all.begin(), all.end());
    return all;
}

StudySample drawSample(const StudyRequest& request) {
    std::error_code ignored;
    StudyRequest wanted = request;
    if (!request.data.empty() && fs::is_regular_file(request.data, ignored) &&
        request.data.filename() != "corpus.json" && request.data.filename() != "manifest.tsv") {
        wanted.audio.insert(wanted.audio.begin(), wanted.data); // one recording
        wanted.data.clear();
    }
    const bool mapsAlone = !wanted.maps.empty() && wanted.data.empty() && wanted.audio.empty();
    StudySample sample = mapsAlone               ? ofMaps(wanted)
                         : !wanted.texts.empty() ? ofTexts(wanted)
                         : wanted.audio.empty()  ? ofCorpus(wanted)
                                                 : ofRecordings(wanted);
    if (sample.utterances.empty())
        throw Error("study.noUtterances",
                    sample.data + " has no utterances" +
                        (sample.split.empty() ? "" : " in the split “" + sample.split + "”") +
                        ".",
                    {{"data", sample.data}});
    return sample;
}

} // namespace headroom::training
