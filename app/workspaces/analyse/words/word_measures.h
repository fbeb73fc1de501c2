// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/items/spoken_words.h"
#include "core/analysis/mixing.h"
#include "widgets/time_axis/time_axis.h"

#include <QString>
#include <QStringList>

#include <optional>
#include <string>
#include <vector>

namespace headroom::app {

// The measures of mixing that the words are shown with, and what their maps say about a text. Pure.

/// Attention, attention × norm, contributions, ALTI, value zeroing, rollout of attention.
const std::vector<MixingMeasure>& wordMeasures();
/// Those that one pass of the decoder gives. The others are computed when somebody asks.
std::vector<std::string> quickWordMeasures();
/// "Value zeroing", "Rollout"; the formula in cross-attention and its paper.
QString wordMeasureTitle(const MixingMeasure& measure);
QString wordMeasureToolTip(const MixingMeasure& measure);

/// What the words' references are, by word: nothing where a word has none.
using WordReferences = std::vector<std::optional<widgets::TimeSpan>>;

/// The words to which no token was assigned: they are compared with no reference.
QStringList wordsWithoutToken(const SpokenWords& words);

/// The share of the words with a reference whose centre of mass lies in it, or at most `within` away; NaN without
/// references. The centre: Σ_j m_j t_j / Σ_j m_j of the mean of the word's rows, t_j the centre of a token.
double shareOfWordsFound(const SpokenWords& words, const WordReferences& references, const MaxPyramid& map,
                         Seconds within = Seconds(0.1));

/// Spearman's ρ of each piece's row, mean over the pieces; NaN without rows that have an order.
double rankCorrelationOf(const MaxPyramid& a, const MaxPyramid& b);

} // namespace headroom::app
