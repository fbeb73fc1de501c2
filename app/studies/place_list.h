// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/items/open_utterance.h"
#include "app/studies/open_study.h"

#include <QString>

#include <vector>

namespace headroom::app {

/// One place behind a number, with what is known of it. A value.
struct PlaceRow {
    StudyPlace place;
    QString utterance;               ///< its id
    QString text;                    ///< the source sentence, whose places are tokens; empty: a recording, of seconds
    CorpusTexts texts;               ///< of a recording, if the study has them
    std::filesystem::path audio;     ///< absolute; links are followed where the recording is there; empty: a text
    std::filesystem::path alignment; ///< empty: none
    bool isMissing = false;          ///< the recording is not there any more, and not open from elsewhere
    std::string hash;                ///< as StudyUtterance has it
    bool hasWords = false, hasPhones = false; ///< whether they are known; then an empty one is silence
    QString queryWord, keyWord;
    QString queryPhone, keyPhone;
};

struct PlaceList {
    PlacesQuery query;
    std::vector<PlaceRow> rows; ///< strongest first
    QString sentence;           ///< why there are none
    QString alignedBy; ///< who made the alignments of these rows and how good that is; empty: not known
};

/// Reads the places of one number from places.npz, and words and phones from the alignments. Blocks; any
/// thread.
PlaceList readPlaces(const PlacesQuery& query);

/// The hash of an open recording as a study has it; empty: not known yet.
std::string studyHash(const OpenUtterance& utterance);

} // namespace headroom::app
