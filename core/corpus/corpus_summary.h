// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/corpus/corpus.h"
#include "core/corpus/corpus_defects.h"
#include "core/corpus/length_limits.h"

#include <cstdint>
#include <functional>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace headroom {

/// Returns the seconds of sound that n feature frames are of, on average: n · 10 ms + 20 ms. A window has 25 ms, and
/// up to 10 ms behind the last one give no frame. 0 for none.
double secondsOfFrames(std::int64_t frames);

struct SpeakerFacts {
    std::string name;
    std::int64_t utterances = 0;
    double seconds = 0;
};

/// Some running words as WER counts them (scoredWords): “Forest,” and “forest” are one.
struct WordCoverage {
    std::int64_t different = 0, running = 0;
    /// (n, share of the running words that the n most frequent words cover), n ascending to `different`.
    std::vector<std::pair<std::int64_t, double>> coverage;
};

/// The texts of one language in one split.
struct TextFacts {
    static constexpr double kRateStep = 0.2; ///< words per second
    static constexpr std::size_t kRateBins = 50;

    std::string language;            ///< "en"; "text" if the corpus does not say it
    std::int64_t words = 0;          ///< between blanks, of the utterances with this text and a known length
    double seconds = 0;              ///< of the same utterances
    std::vector<std::int64_t> rates; ///< kRateBins counts of utterances by words per second; the last is open
    WordCoverage vocabulary;         ///< of all texts, also of those without a known length
    double meanRate() const;         ///< words per second; NaN without sound
};

/// One split, for one task. Lengths are frames of 10 ms, as a recipe counts them.
struct SplitFacts {
    std::string name;
    std::int64_t utterances = 0;
    struct Unusable {
        std::optional<std::int64_t> frames; ///< by the table
        bool hasText = true;
    };
    std::vector<Unusable> unusable;     ///< recordings that cannot be used (RecordingLook::isUsable); in none of the lists below
    std::vector<std::int64_t> frames;   ///< of every utterance of known length, ascending
    std::vector<std::int64_t> textless; ///< of those without a text, ascending
    double seconds = 0;                 ///< of `frames`
    std::vector<SpeakerFacts> speakers; ///< longest first; without those of utterances that name none
    std::vector<TextFacts> texts;       ///< the target; of a translation also the source, first
};

/// The words of one language in the training splits.
struct VocabularyFacts : WordCoverage {
    std::string language;
    std::map<std::string, double> unknown; ///< other split → share of its running words that training lacks
};

/// Everything that one wants to know of a corpus before training on it, for one task. A value.
struct CorpusSummary {
    std::string name, task;
    std::vector<SplitFacts> splits; ///< in the order of the document
    std::set<std::string> trainingSplits; ///< those of the vocabularies: the names that begin with “train”, else the first
    std::vector<VocabularyFacts> vocabularies;
    std::map<std::string, std::vector<std::string>> sharedSpeakers; ///< in more than one split → the splits
    std::vector<CorpusDefect> defects;                              ///< unusable first, then by number
    std::int64_t utterances() const;
    double seconds() const;
    /// Throws Error "corpus.noSplit".
    const SplitFacts& split(std::string_view name) const;
};

/// Called with utterances done and all of them; returning false cancels. Called on the thread of
/// summariseCorpus.
using SummaryProgress = std::function<bool(std::int64_t done, std::int64_t total)>;

/// Summarises one task of a corpus. Looks at the header of every recording (RecordingLooks), and decodes lossy ones
/// whose table gives no length. Reads problems.tsv of an imported corpus, so that what the import left out is counted too. `task` may be
/// empty if the corpus has only one, or "asr". Returns `nullopt` if cancelled. Throws Error "corpus.noTask".
/// Blocks: see “Measurements” in README.md.
std::optional<CorpusSummary> summariseCorpus(const Corpus& corpus, const std::string& task,
                                             const SummaryProgress& progress = {});

/// What a run leaves out of a split, in the order in which it decides.
struct LeftOutFacts {
    struct Part {
        std::int64_t utterances = 0;
        double seconds = 0;
        std::int64_t unusable = 0; ///< of `utterances`: only the table says their length, which is not in `seconds`
    };
    Part withoutText, tooShort, tooLong, kept;
    std::int64_t stopping = 0; ///< recordings at which training would stop; none of the others
};
/// Whether training stops at a recording that cannot be used and has a text. `frames`: by the table; one outside of the limits is left
/// out before it is opened.
bool stopsTraining(std::optional<std::int64_t> frames, const LengthLimits& limits);
/// Seconds are of recordings that can be used.
LeftOutFacts leftOutBy(const SplitFacts& split, const LengthLimits& limits);

/// Counts utterances by length in bins of `step` frames: bin i holds i · step ≤ frames < (i + 1) · step.
std::vector<std::int64_t> lengthHistogram(const SplitFacts& split, std::int64_t step);

/// {"format": "headroom/corpus-statistics", "version": 1, …}, with what `limits` leave out of every split.
nlohmann::json toJson(const CorpusSummary& summary, const SplitLimits& limits);

} // namespace headroom
