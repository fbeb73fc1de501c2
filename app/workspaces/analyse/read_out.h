// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/analysis.h"

#include <QList>
#include <QString>

#include <optional>

namespace headroom::app {

/// Where one moment lies: in seconds, frames, tokens, words, phones. What is not known has no value.
struct Place {
    std::optional<Seconds> time;
    std::optional<std::int64_t> frame, token; ///< from 0
    QString word, phone;                      ///< empty: none, or silence
    bool hasAlignment = false;
};

/// Everything the Read-out says about cursor (query) and pointer (key).
struct ReadOut {
    Place cursor, pointer;
    std::optional<std::int64_t> offsetTokens; ///< pointer minus cursor
    std::optional<Seconds> offset;            ///< between the two tokens' centres
    QString valueName;                        ///< "Contribution", "Attention of head 2" …
    std::optional<float> value;               ///< of the map shown at (cursor's token, pointer's token)
    std::optional<std::int64_t> rank;         ///< in its row, from 1 (the largest)
    std::int64_t keys = 0;                    ///< length of the row
};

/// Pure. `utterance`, `result` and `map` may be null; then less is known.
ReadOut readOutAt(const Utterance* utterance, const AnalysisResult* result, const MaxPyramid* map,
                  MapSource source, std::optional<Seconds> cursor, std::optional<Seconds> pointer);

/// One line of the panel; `full` is what is copied, in full precision.
struct ReadOutLine {
    QString label, value, full;
    bool strong = false;
};
QList<ReadOutLine> linesOf(const ReadOut& readOut);
/// Tab-separated, one line each, with heads.
QString asTable(const ReadOut& readOut);

/// The label at a time; empty where there is none.
QString labelAt(const std::vector<Interval>& intervals, Seconds time);

} // namespace headroom::app
