// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/corpus/corpus_reading.h"

namespace headroom {

namespace {

bool hasNoText(const std::string& text) {
    return text.find_first_not_of(" \t\r\n") == std::string::npos;
}

/// Pairs of sentences: no recordings, no alignments.
void readParallelText(CorpusReading& reading, const CorpusTask& task, CorpusTable& table) {
    readTable(reading, corpusTableName(table.split, task.name), {"id", "src_text", "tgt_text"},
              [&](const TableColumns& columns, const std::vector<std::string>& row,
                  const CorpusReading::Place& place) {
                  Utterance pair;
                  pair.id = place.id;
                  pair.sourceText = columns.field(row, "src_text");
                  pair.text = columns.field(row, "tgt_text");
                  if (hasNoText(pair.sourceText) || hasNoText(pair.text))
                      return reading.problem("corpus.emptyText", place, "a text of the pair is empty", true);
                  table.utterances.push_back(std::move(pair));
              });
}

void readSplit(CorpusReading& reading, const CorpusTask& task, CorpusTable& table) {
    const auto file = corpusTableName(table.split, task.name);
    std::vector<std::filesystem::path> alignments{reading.folder() / "alignments", {}};
    readTable(reading, file, {"id", "audio", "n_frames", "tgt_text"},
              [&](const TableColumns& columns, const std::vector<std::string>& row,
                  const CorpusReading::Place& place) {
                  Utterance utterance;
                  utterance.id = place.id;
                  if (!reading.textsOnly()) {
                      const auto audio = reading.fileOf(columns.field(row, "audio"), place, "recording", true);
                      if (!audio)
                          return;
                      utterance.audio = *audio;
                  }
                  const auto frames = columns.field(row, "n_frames");
                  if (const auto count = wholeNumber(frames))
                      utterance.frames = Frames(*count);
                  else if (!frames.empty())
                      return reading.problem("corpus.badFrames", place,
                                             "n_frames is \"" + frames + "\", not a whole number", true);
                  utterance.text = columns.field(row, "tgt_text");
                  utterance.sourceText = columns.field(row, "src_text");
                  utterance.speaker = columns.field(row, "speaker");
                  if (hasNoText(utterance.text)) {
                      utterance.text.clear();
                      reading.problem("corpus.emptyText", place, "the text is empty", false);
                  }
                  // An id may hold anything; one that is no plain name has no alignment.
                  if (!reading.textsOnly() && utterance.id.find('/') == std::string::npos && utterance.id != "..") {
                      alignments.back() = utterance.audio.parent_path(); // where one that is made later is put
                      utterance.alignment = reading.alignmentIn(alignments, utterance.id);
                  }
                  table.utterances.push_back(std::move(utterance));
              });
}

} // namespace

void readTables(CorpusReading& reading, const CorpusDocument& document, std::vector<CorpusTable>& tables) {
    std::int64_t bytes = 0;
    std::error_code ignored;
    for (const auto& split : document.splits)
        for (const auto& task : document.tasks)
            if (const auto size = std::filesystem::file_size(reading.folder() / corpusTableName(split, task.name), ignored); !ignored)
                bytes += static_cast<std::int64_t>(size);
    reading.expectBytes(bytes);
    for (const auto& split : document.splits)
        for (const auto& task : document.tasks) {
            tables.push_back({split, task.name, {}});
            task.isText ? readParallelText(reading, task, tables.back()) : readSplit(reading, task, tables.back());
        }
}

} // namespace headroom
