// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/audio/sound_facts.h"
#include "core/corpus/kinds/source_reading.h"

#include <cstdint>
#include <string>
#include <vector>

namespace headroom {

/// An utterance with the facts of its recording.
struct ExportedUtterance {
    SourceUtterance row; ///< `audio` is absolute; `part` is empty for a whole recording
    SoundFacts facts;
    std::string recording; ///< a name for the file, unique in the split, without blanks

    std::int64_t firstSample() const { return row.part ? row.part->start : 0; }
    std::int64_t samples() const { return row.part ? row.part->count : facts.samples; }
    double start() const { return facts.rate.duration(Samples(firstSample())).value(); } ///< seconds
    double duration() const { return facts.rate.duration(Samples(samples())).value(); }  ///< seconds
    double end() const { return facts.rate.duration(Samples(firstSample() + samples())).value(); }
    Frames frames() const;
    /// Returns an empty text if there is none.
    std::string text(const std::string& language) const;
};

struct ExportedSplit {
    std::string name;
    std::string language;                  ///< spoken
    std::vector<std::string> translations; ///< languages
    std::vector<ExportedUtterance> utterances;
};

void writeKaldiSplit(const ExportedSplit& split, const std::filesystem::path& folder);
void writeNemoSplit(const ExportedSplit& split, const std::filesystem::path& folder);
void writeLhotseSplit(const ExportedSplit& split, const std::filesystem::path& folder);
void writeFairseqSplit(const ExportedSplit& split, const std::filesystem::path& folder);

} // namespace headroom
