// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studies/study_data.h"

#include "app/documents/items/paths.h"
#include "core/corpus/corpus.h"
#include "core/corpus/person.h"
#include "core/errors/error.h"
#include "core/text/text_words.h"

#include <algorithm>
#include <set>

namespace headroom::app {

namespace {

constexpr Seconds kLeastOfFrame{0.01}; // so many times the frames are less than a recording has
constexpr double kMostBeyond = 0.025;  // seconds that it has more than these: the last frame's window, and less than one step

} // namespace

void StudyData::Counts::add(Seconds length, bool isAligned) {
    const auto note = [&](int& count, Seconds& least) {
        least = count == 0 ? length : std::min(least, length);
        ++count;
    };
    note(utterances, shortest);
    if (isAligned)
        note(aligned, shortestAligned);
    if (length > Seconds(0))
        lengths.push_back(length.value());
}

void StudyData::Counts::addText(std::int64_t words) {
    areTexts = true;
    ++utterances;
    lengths.push_back(static_cast<double>(words));
}

StudyData readStudyData(const std::filesystem::path& folder) {
    StudyData data;
    data.folder = folder;
    try {
        const Corpus corpus = Corpus::open(folder);
        data.problems = static_cast<int>(corpus.problems().size());
        for (const std::string& split : corpus.document().splits) {
            StudyData::Counts counts;
            std::set<std::string> speakers;
            // Every task of a split has the same recordings; the first that is there tells.
            for (const CorpusTable& table : corpus.tables()) {
                if (table.split != split || table.utterances.empty())
                    continue;
                for (const Utterance& utterance : table.utterances) {
                    if (utterance.audio.empty())
                        counts.addText(wordCount(utterance.sourceText));
                    else
                        counts.add(utterance.frames ? kLeastOfFrame * static_cast<double>(utterance.frames->value()) : Seconds(0),
                                   !utterance.alignment.empty());
                    if (!utterance.speaker.empty())
                        speakers.insert(std::string(personOf(utterance)));
                }
                counts.beyond = counts.areTexts ? 0 : kMostBeyond;
                break;
            }
            counts.speakers = static_cast<int>(speakers.size());
            data.splits << QString::fromStdString(split);
            data.counts.push_back(counts);
        }
    } catch (const std::exception& mistake) {
        data.mistake = QString::fromUtf8(mistake.what());
    }
    return data;
}

} // namespace headroom::app
