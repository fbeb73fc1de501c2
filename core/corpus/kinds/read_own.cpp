// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/corpus/kinds/source_reading.h"
#include "core/errors/display_name.h"

#include <algorithm>

namespace headroom {

namespace fs = std::filesystem;

namespace {

/// The utterance of a table and what the tables of other tasks say about the same recording.
void joinUtterance(SourceReading& reading, std::unordered_map<std::string, std::size_t>& known,
                   const CorpusTable& table, const Utterance& row, const std::string& source,
                   const std::string& target) {
    const auto [at, fresh] = known.try_emplace(row.id, reading.utterances().size());
    if (fresh) {
        SourceUtterance utterance;
        utterance.split = table.split;
        utterance.id = row.id;
        utterance.speaker = row.speaker;
        const auto name = audioName(row.audio);
        utterance.audio = name.file;
        utterance.part = name.part;
        utterance.speed = name.speed;
        utterance.alignment = row.alignment;
        utterance.place = {corpusTableName(table.split, table.task), 0};
        reading.add(std::move(utterance));
    }
    auto& texts = reading.utterances()[at->second].texts;
    if (!row.text.empty())
        texts[target] = row.text;
    if (!row.sourceText.empty())
        texts.try_emplace(source, row.sourceText);
}

} // namespace

bool looksLikeOwn(const fs::path& folder) {
    std::error_code ignored;
    return fs::is_regular_file(folder / "corpus.json", ignored) ||
           fs::is_regular_file(folder / "manifest.tsv", ignored);
}

bool looksLikeRecordings(const fs::path& folder) {
    try {
        const Corpus corpus = Corpus::open(folder);
        return std::ranges::any_of(corpus.tables(), [](const CorpusTable& table) { return !table.utterances.empty(); });
    } catch (const Error&) {
        return false;
    }
}

void readOwn(SourceReading& reading) {
    const auto corpus = Corpus::open(reading.folder());
    const auto& document = corpus.document();
    if (!document.languages.empty())
        reading.setLanguage(document.tasks.front().source);
    for (const auto& problem : corpus.problems())
        reading.problems().push_back(problem);
    for (const auto& split : document.splits) {
        std::unordered_map<std::string, std::size_t> known;
        for (const auto& task : document.tasks) {
            // Labels of frames and phones are made of the alignments again: corpus phones.
            if (task.name.starts_with("phone"))
                continue;
            const auto source =
                task.source.empty() || task.source == "source" ? reading.language() : task.source;
            const auto target = task.target.empty() ? source : task.target;
            for (const auto& table : corpus.tables())
                if (table.split == split && table.task == task.name)
                    for (const auto& utterance : table.utterances)
                        joinUtterance(reading, known, table, utterance, source, target);
        }
    }
}

} // namespace headroom
