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
    double minutes = 30; ///< of sound at least, all splits together; greater than 0
    std::uint64_t seed = 1;
    int processes = 0; ///< 0: as many as there are processors; changes the time, not one byte
    int pieces = 256;  ///< of each SentencePiece model at most
    double invented =
        0; ///< share of utterances of invented words (invented_words.h), in the task asr alone; 0 … 1
};

struct DemoCorpusSummary {
    struct Split {
        std::int64_t utterances = 0;
        double seconds = 0;
    };
    std::map<std::string, Split> splits;
    std::map<std::string, int> pieces; ///< by task
    std::int64_t words = 0;            ///< different ones, English
    std::int64_t voices = 0;
};

/// Writes a corpus (core/corpus) of English sentences with German and Spanish translations into a folder that
/// is new or empty: 16 kHz WAV, exact TextGrids, tables for the tasks asr, st_de and st_es, SentencePiece
/// models, and `conditions.tsv` (voice, speed, pitch, noise, room of each utterance). It is made in a hidden
/// folder
/// `.NAME.making` beside and gets its name when it is whole; what an interrupted try left there is taken
/// away. Equal options give equal bytes on one machine. No sentence is in two splits; which one it is in
/// depends on the sentence alone, so that corpora of different seeds can be mixed.
///
/// Throws Error "corpus.notEmpty", "corpus.unwritable", "speech.noEspeak" (says what to install), and what
/// speaking throws; what was written until then is taken away again. `progress` hears (seconds so far,
/// seconds wanted). Starts processes: call it before this process starts a thread.
DemoCorpusSummary makeDemoCorpus(const DemoCorpusOptions& options,
                                 const std::function<void(double, double)>& progress = {});

} // namespace headroom::training
