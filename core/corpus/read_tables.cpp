// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/corpus/corpus_reading.h"

namespace headroom {

namespace {

void readSplit(CorpusReading& reading, const CorpusTask& task, CorpusTable& table) {
    const auto file = corpusTableName(table.split, task.name);
    const std::vector<std::filesystem::path> alignments{reading.folder() / "alignments"};
    readTable(reading, file, {"id", "audio", "n_frames", "tgt_text"},
              [&](const TableColumns& columns, const std::vector<std::string>& row,
                  const CorpusReading::Place& place) {
                  Utterance utterance;
                  utterance.id = place.id;
                  const auto audio = reading.fileOf(columns.field(row, "audio"), place, "recording", true);
                  if (!audio)
                      return;
                  utterance.audio = *audio;
                  const auto frames = columns.field(row, "n_frames");
                  if (const auto count = wholeNumber(frames))
                      utterance.frames = Frames(*count);
                  else if (!frames.empty())
                      return reading.problem("corpus.badFrames", place,
                                             "n_frames is \"" + frames + "\", not a whole number", true);
                  utterance.text = columns.field(row, "tgt_text");
                  utterance.sourceText = columns.field(row, "src_text");
                  utterance.speaker = columns.field(row, "speaker");
                  if (utterance.text.find_first_not_of(" \t\r\n") == std::string::npos) {
                      utterance.text.clear();
                      reading.problem("corpus.emptyText", place, "the text is empty", false);
                  }
                  // An id may hold anything; one that is no plain name has no alignment.
                  if (utterance.id.find('/') == std::string::npos && utterance.id != "..")
                      utterance.alignment = reading.alignmentIn(alignments, utterance.id);
                  table.utterances.push_back(std::move(utterance));
              });
}

} // namespace

void readTables(CorpusReading& reading, const CorpusDocument& document, std::vector<CorpusTable>& tables) {
    for (const auto& split : document.splits)
        for (const auto& task : document.tasks) {
            tables.push_back({split, task.name, {}});
            readSplit(reading, task, tables.back());
        }
}

} // namespace headroom
