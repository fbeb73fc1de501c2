// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/audio/sound_facts.h"
#include "core/corpus/kinds/source_reading.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace headroom {

/// What a look at a recording found.
struct CheckedRecording {
    SoundFacts facts;
    std::string code, refusal; ///< why it cannot be used, without a full stop; empty: it can
};
using CheckedRecordings = std::map<std::filesystem::path, CheckedRecording>;

/// Looks at every recording once, on `threads` threads. `progress` as in importCorpus.
CheckedRecordings checkRecordings(const std::vector<SourceUtterance>& utterances, int threads,
                                  const std::function<void(std::int64_t, std::int64_t)>& progress);

/// Turns the segment of an utterance into samples of its recording. A segment that ends at most 0.5 s after
/// the recording is cut at its end, as Kaldi's extract-segments does, and is a problem that leaves nothing
/// out. Returns false if the utterance cannot be used; the reason is then in the problems. Sets `part` (none
/// for the whole recording) and `samples`.
bool placeSegment(SourceReading& reading, SourceUtterance& utterance, const SoundFacts& facts,
                  std::int64_t& samples);

/// The same for an utterance of stored features (core/corpus/feature_archive.h): reads the header of the array. `columns`:
/// the features of a frame, which those of all utterances must be; 0: not known yet. `samples`: the least at 16 kHz that
/// have so many frames.
bool placeFeatures(SourceReading& reading, const SourceUtterance& utterance, std::int64_t& columns,
                   std::int64_t& samples);

/// What people should know of so many such utterances.
std::string featuresNote(std::int64_t utterances, std::int64_t columns);

} // namespace headroom
