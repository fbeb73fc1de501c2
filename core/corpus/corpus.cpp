// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/corpus/corpus.h"

#include "core/corpus/corpus_index.h"
#include "core/corpus/corpus_reading.h"
#include "core/corpus/tab_separated.h"
#include "core/errors/display_name.h"
#include "core/errors/listed.h"
#include "core/tensors/atomic_file.h"

#include <algorithm>

namespace headroom {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kIndexedFrom = 20'000; ///< utterances; smaller corpora open quickly anyway

std::vector<fs::path> pathsOf(const std::vector<CorpusIndex::Source>& sources, const fs::path& folder) {
    std::vector<fs::path> paths;
    paths.reserve(sources.size());
    for (const CorpusIndex::Source& source : sources)
        paths.push_back(folder / source.path);
    return paths;
}

std::size_t utterancesIn(const std::vector<CorpusTable>& tables) {
    std::size_t count = 0;
    for (const CorpusTable& table : tables)
        count += table.utterances.size();
    return count;
}

} // namespace

Corpus Corpus::open(const fs::path& path, const CorpusProgress& progress, Wanted wanted) {
    std::error_code ignored;
    Corpus corpus;
    corpus.m_folder = path;
    if (fs::is_regular_file(path, ignored) &&
        (path.filename() == "corpus.json" || path.filename() == "manifest.tsv"))
        corpus.m_folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
    const auto name = displayName(corpus.m_folder);
    if (!fs::is_directory(corpus.m_folder, ignored))
        throw missingFolder(corpus.m_folder);
    corpus.m_document.name = name;
    CorpusReading reading(corpus.m_folder, corpus.m_problems, progress, wanted == Wanted::Texts);
    const bool hasTables = fs::exists(corpus.m_folder / "corpus.json", ignored);
    if (hasTables || fs::exists(corpus.m_folder / "manifest.tsv", ignored)) {
        corpus.m_kind = hasTables ? Kind::Tables : Kind::Manifest;
        if (hasTables)
            corpus.m_document = readCorpusDocument(corpus.m_folder / "corpus.json");
        const fs::path file = wanted == Wanted::Texts ? fs::path() : CorpusIndex::fileFor(corpus.m_folder); // texts have none
        if (auto index = file.empty() ? std::nullopt : CorpusIndex::read(file, corpus.m_folder)) {
            corpus.m_document.splits = std::move(index->splits);
            corpus.m_document.tasks = std::move(index->tasks);
            corpus.m_tables = std::move(index->tables);
            corpus.m_problems = std::move(index->problems);
            corpus.m_sources = pathsOf(index->sources, corpus.m_folder);
            return corpus;
        }
        reading.dependsOn("corpus.json", false); // also where there is none
        hasTables ? readTables(reading, corpus.m_document, corpus.m_tables)
                  : readManifest(reading, corpus.m_document, corpus.m_tables);
        if (!file.empty() && utterancesIn(corpus.m_tables) >= kIndexedFrom)
            CorpusIndex{reading.sources(), corpus.m_document.splits, corpus.m_document.tasks, corpus.m_tables, corpus.m_problems}
                .write(file, corpus.m_folder);
    } else {
        readRecordings(reading, corpus.m_document, corpus.m_tables);
        if (corpus.m_tables.empty())
            throw Error("corpus.notACorpus",
                        name +
                            " is not a corpus: it has neither corpus.json nor manifest.tsv, and no "
                            "recordings.",
                        {{"file", name}});
    }
    corpus.m_sources = pathsOf(reading.sources(), corpus.m_folder);
    return corpus;
}

const std::vector<Utterance>& Corpus::utterances(std::string_view split, std::string_view task) const {
    const auto found = std::find_if(m_tables.begin(), m_tables.end(), [&](const CorpusTable& table) {
        return table.split == split && table.task == task;
    });
    if (found != m_tables.end())
        return found->utterances;
    const auto& splits = m_document.splits;
    const bool splitKnown = std::find(splits.begin(), splits.end(), split) != splits.end();
    std::vector<std::string> known = splits;
    if (splitKnown) {
        known.clear();
        for (const auto& each : m_document.tasks)
            known.push_back(each.name);
    }
    throw Error(splitKnown ? "corpus.noTask" : "corpus.noSplit",
                displayName(m_folder) + " has no " + (splitKnown ? "task “" : "split “") +
                    std::string(splitKnown ? task : split) + "”; it has " + listedInQuotes(known) + ".",
                {{"file", displayName(m_folder)}});
}

std::string corpusTableText(const fs::path& folder, const std::vector<Utterance>& utterances,
                            bool translation) {
    std::vector<std::string> header{"id", "audio", "n_frames", "tgt_text", "speaker"};
    if (translation)
        header.push_back("src_text");
    std::string text = tabSeparatedLine(header);
    for (const auto& utterance : utterances) {
        const auto relative =
            utterance.audio.lexically_normal().lexically_relative(folder.lexically_normal());
        if (relative.empty() || *relative.begin() == "..")
            throw Error("corpus.outside",
                        "The recording " + displayName(utterance.audio) + " is outside the corpus " +
                            displayName(folder) + ".",
                        {{"file", displayName(utterance.audio)}});
        std::vector<std::string> row{utterance.id, relative.generic_string(),
                                     utterance.frames ? std::to_string(utterance.frames->value()) : "",
                                     utterance.text, utterance.speaker};
        if (translation)
            row.push_back(utterance.sourceText);
        text += tabSeparatedLine(row);
    }
    return text;
}

std::string parallelTableText(const std::vector<Utterance>& utterances) {
    std::string text = tabSeparatedLine({"id", "src_text", "tgt_text"});
    for (const auto& utterance : utterances)
        text += tabSeparatedLine({utterance.id, utterance.sourceText, utterance.text});
    return text;
}

void writeCorpusTable(const fs::path& folder, const std::string& split, const CorpusTask& task,
                      const std::vector<Utterance>& utterances) {
    writeAtomically(folder / corpusTableName(split, task.name),
                    task.isText ? parallelTableText(utterances)
                                : corpusTableText(folder, utterances, task.isTranslation()),
                    "corpus.unwritable");
}

} // namespace headroom
