// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/corpus/sentence_pieces.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>

namespace headroom::training {

struct DemoCorpusOptions {
    std::filesystem::path out;
    double minutes = 30; ///< minimum duration of all splits together; positive
    std::uint64_t seed = 1;
    int processes = 0; ///< 0: one per processor; changes the time but not a byte
    int pieces = 256;  ///< maximum size of each SentencePiece model
    double invented =
        0; ///< share of utterances of invented words (invented_words.h), in the task asr alone; 0 … 1
};

struct DemoCorpusSummary {
    struct Split {
        std::int64_t utterances = 0;
        double seconds = 0; ///< of the frames in the tables, as summariseCorpus() counts them
    };
    std::map<std::string, Split> splits;
    std::map<std::string, int> pieces; ///< by task
    std::int64_t words = 0;            ///< distinct English words
    std::int64_t voices = 0;
};

/// Returns the split of an English sentence, a tenth each for dev and test.
const char* demoSplitOf(const std::string& sentence);

/// Writes a corpus (core/corpus) of English sentences with German and Spanish translations into a new or
/// empty folder: 16 kHz WAV, exact TextGrids, tables for the tasks asr, st_de and st_es, SentencePiece
/// models, and `conditions.tsv` (voice, speed, pitch, noise, room of each utterance).
/// - The corpus is made in the hidden folder `.NAME.making` and renamed at the end. Leftovers of an
///   interrupted attempt are removed.
/// - Equal options give equal bytes on one machine. The split of a sentence depends on the sentence alone, so
///   that corpora of different seeds can be mixed.
/// - Throws Error "corpus.notEmpty", "corpus.unwritable", "speech.noEspeak" (says what to install), and the
///   errors of speaking; partial output is removed.
/// - `progress` receives (seconds so far, seconds in total).
/// - Starts processes: call it before this process starts a thread.
DemoCorpusSummary makeDemoCorpus(const DemoCorpusOptions& options,
                                 const std::function<void(double, double)>& progress = {});

} // namespace headroom::training
