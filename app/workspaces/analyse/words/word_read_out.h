// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/items/spoken_words.h"
#include "app/workspaces/analyse/map/read_out.h"
#include "widgets/time_axis/time_axis.h"

#include <QList>

#include <optional>

namespace headroom::app {

/// How the rows of a word attend in one map of [pieces, tokens]: means over its rows.
struct WordAttention {
    double inside = NAN;  ///< share of the rows at tokens whose centre lies in the word's time; NaN without a time
    double entropy = NAN; ///< −Σ_j A_j ln A_j, in nats
};

/// Pure. `word` indexes `words.words`. NaN where the map has no such rows.
WordAttention attentionOfWord(const SpokenWords& words, int word, const MaxPyramid& map);

/// What the Read-out says of a word: its pieces, where it was found and where the alignment has it, and how the map's
/// rows attend, where they sum to 1. `word` −1: none, and the lines have no values. `map` may be null. `reference`: of
/// this word in the alignment. `valueName`: what a value of the map is, "contribution"; empty: attention, or the
/// probability of CTC. Of empty `words` the lines name no origin of the times. Pure.
QList<ReadOutLine> wordLines(const SpokenWords& words, int word, const MaxPyramid* map,
                             std::optional<widgets::TimeSpan> reference, std::optional<Seconds> pointer,
                             const QString& valueName = {});

/// What the Read-out says of a word over self-attention. `map`: [pieces, inputs], may be null. `inputs`: labels of what the decoder
/// reads, of which token t lasts from t to t + 1. `pointer`: over these. `valueName`: as of wordLines(), not empty. Pure.
QList<ReadOutLine> selfLines(const SpokenWords& words, int word, const MaxPyramid* map, const QStringList& inputs,
                             std::optional<Seconds> pointer, const QString& valueName);

/// What the Read-out says while the words of a translation are shown: they have no times. `source`: labels of the encoder's
/// tokens. Pure.
QList<ReadOutLine> translationLines(const SpokenWords* words, const QStringList& source, std::optional<Seconds> pointer);

} // namespace headroom::app
