// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/corpus/corpus_reading.h"

#include <utility>

namespace headroom {

namespace {

constexpr const char* kFile = "manifest.tsv";

std::optional<Frames> promisedFrames(CorpusReading& reading, const TableColumns& columns,
                                     const std::vector<std::string>& row, const CorpusReading::Place& place) {
    const auto samples = columns.field(row, "n_samples"), rate = columns.field(row, "sample_rate");
    if (samples.empty() || rate.empty())
        return std::nullopt;
    const auto count = wholeNumber(samples), hertz = wholeNumber(rate);
    if (count && hertz && *hertz > 0 && *hertz <= 1'000'000)
        return framesOf(*count, SampleRate(static_cast<int>(*hertz)));
    reading.problem(
        "corpus.badFrames", place,
        "n_samples is \"" + samples + "\" and sample_rate \"" + rate + "\"; both are whole numbers", false);
    return std::nullopt;
}

} // namespace

void readManifest(CorpusReading& reading, CorpusDocument& document, std::vector<CorpusTable>& tables) {
    document.splits = {"all"};
    CorpusTable transcripts{"all", "asr", {}}, translations{"all", "st", {}};
    std::vector<CorpusReading::Place> silent;
    readTable(reading, kFile, {"id", "audio"},
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
                  utterance.frames = promisedFrames(reading, columns, row, place);
                  utterance.text = columns.field(row, "text");
                  utterance.speaker = columns.field(row, "speaker");
                  if (const auto grid = columns.field(row, "alignment"); !grid.empty() && !reading.textsOnly())
                      utterance.alignment = reading.fileOf(grid, place, "alignment", false).value_or("");
                  if (utterance.text.empty())
                      silent.push_back(place);
                  auto translation = columns.field(row, "translation");
                  transcripts.utterances.push_back(utterance);
                  if (translation.empty())
                      return;
                  utterance.sourceText = std::exchange(utterance.text, std::move(translation));
                  translations.utterances.push_back(std::move(utterance));
              });
    // A manifest without any transcript lists sounds to look at; only a gap among transcripts is a mistake.
    if (silent.size() < transcripts.utterances.size())
        for (const auto& place : silent)
            reading.problem("corpus.emptyText", place, "the text is empty", false);
    document.tasks.push_back({"asr", "", ""});
    tables.push_back(std::move(transcripts));
    if (!translations.utterances.empty()) {
        document.tasks.push_back({"st", "source", "target"});
        tables.push_back(std::move(translations));
    }
}

} // namespace headroom
