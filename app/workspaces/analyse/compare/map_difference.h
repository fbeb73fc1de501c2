// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/items/analysis.h"
#include "core/architecture/architecture.h"

#include <memory>

#include <QStringList>

namespace headroom::app {

/// A − B, cell by cell, and the same with its signs turned (a reduced picture keeps the end farther from 0).
struct MapDifference {
    std::shared_ptr<const MaxPyramid> map, negated;
};
/// Of two maps of one size, else std::invalid_argument. Pure.
MapDifference differenceOf(const MaxPyramid& a, const MaxPyramid& b);

/// The tokens of one of two maps, to ask whether they may be subtracted.
struct ComparedTokens {
    QString name; ///< of the model
    UtteranceId utterance = UtteranceId::None;
    std::optional<Part> part;
    std::int64_t tokens = 0; ///< 0: not read yet
    TokenClock clock;
    bool hasMap = false;
    QString frontEnd; ///< "kernels 5, 5, strides 2, 2"; empty: not known (maps from elsewhere)
    std::optional<QStringList> pieces = {}; ///< of a text: the label of each token, empty while not known; nothing: a recording
};
/// How a model's front end makes its tokens, in the words of ComparedTokens::frontEnd.
QString frontEndWords(const Architecture::FrontEnd& frontEnd);
/// Why there is no A − B: another recording, another part, other tokens (mixed front ends), a map that is not
/// here. Empty where there is one. A sentence.
QString whyNoDifference(const ComparedTokens& a, const ComparedTokens& b);

} // namespace headroom::app
