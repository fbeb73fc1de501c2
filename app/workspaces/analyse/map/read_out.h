// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/items/analysis.h"
#include "core/analysis/receptive_field.h"

#include <QList>
#include <QString>

#include <optional>

namespace headroom::app {

/// Where one moment lies: in seconds, frames, tokens, words, phones. What is not known has no value. A value.
struct PlaceInSound {
    std::optional<Seconds> time;
    std::optional<std::int64_t> frame, token; ///< from 0
    QString band; ///< "3 of 12, 409 to 832 Hz", where a token is a patch of time and frequency; otherwise empty
    QString word, phone;                      ///< empty: none, or silence
    bool hasAlignment = false;
    QString piece; ///< of a text: its label
};

/// What the cursor's token may see in this layer, and what its information may have come from behind it (the
/// effective receptive field: layers 1 … l and the front end).
struct Reach {
    int layer = 0; ///< from 1
    TokenSpan seen, known;
    HeardPart heard;         ///< of the recording
    bool everything = false; ///< known is all there is
};

/// Everything the Read-out says about cursor (query) and pointer (key).
struct ReadOut {
    PlaceInSound cursor, pointer;
    std::optional<std::int64_t> offsetTokens; ///< pointer minus cursor
    std::optional<Seconds> offset;            ///< between the two tokens' centres
    QString valueName;                        ///< "Contribution", "Attention of head 2" …
    QString briefName;                        ///< "Head 2"; may be empty
    std::optional<float> value;               ///< of the map shown at (cursor's token, pointer's token)
    std::optional<std::int64_t> rank;         ///< in its row, from 1 (the largest)
    std::int64_t keys = 0;                    ///< length of the row
    QString mapName;                          ///< "A", "B": which of two maps that is; empty: there is one
    /// The value at the same place of the map beside it.
    struct Beside {
        QString name; ///< "Contribution, B", "A − B"
        std::optional<float> value;
    };
    std::optional<Beside> beside;
    std::optional<Reach> reach;               ///< of the cursor's token
    bool isText = false;                      ///< tokens are pieces of a text and have no time
    /// What frames and tokens are counted in; Part: the one that imported maps are of.
    enum class Count { Recording, Selection, Part };
    Count count = Count::Recording;
};

/// Pure. `utterance`, `result`, `map` and `frontEnd` (of the model) may be null; then less is known.
ReadOut readOutAt(const OpenUtterance* utterance, const AnalysisResult* result, const MaxPyramid* map,
                  MapSource source, std::optional<Seconds> cursor, std::optional<Seconds> pointer,
                  const Architecture::FrontEnd* frontEnd = nullptr);

/// Of the token under the cursor, from the architecture alone; nothing where there is no token. `field`: of
/// this architecture at the result's length. `duration`: of the whole recording.
std::optional<Reach> reachAt(const ReadOut& readOut, const Architecture& architecture,
                             const ReceptiveField& field, int layer, const AnalysisResult& result,
                             Seconds duration);

/// One line of the panel; `full` is what is copied, in full precision; `brief` and `briefLabel` are shown
/// where the others have no room beside each other.
struct ReadOutLine {
    QString label, value, full;
    bool strong = false;
    QString brief = {}, briefLabel = {};
};
QList<ReadOutLine> linesOf(const ReadOut& readOut);
/// Tab-separated, one line each, with heads.
QString asTable(const QList<ReadOutLine>& lines);

} // namespace headroom::app
