// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/time/units.h"

#include <QString>
#include <QStringList>

#include <cstdint>
#include <filesystem>
#include <vector>

namespace headroom::app {

/// What a corpus or a folder of recordings has for a study. Reading it may take seconds: off the window's
/// thread.
struct StudyData {
    std::filesystem::path folder;
    QString mistake;    ///< a sentence; empty: it can be studied
    QStringList splits; ///< as the corpus names them
    struct Counts {
        int utterances = 0, aligned = 0, speakers = 0;
        bool areTexts = false; ///< parallel text
        /// No recording is shorter, and none with an alignment; 0: not known of one of them, or there is none.
        Seconds shortest{0}, shortestAligned{0};
        std::vector<double> lengths = {}; ///< that are known: seconds of recordings, words of texts
        double beyond = 0;                ///< each of `lengths` may be too low by so much
        void add(Seconds length, bool isAligned); ///< a recording, of unknown length 0
        void addText(std::int64_t words);
    };
    std::vector<Counts> counts; ///< by split
    int problems = 0;           ///< rows that are not as they should be
};
StudyData readStudyData(const std::filesystem::path& folder);

} // namespace headroom::app
