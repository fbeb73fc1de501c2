// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/head_grid.h"
#include "core/architecture/usual_windows.h"

#include <QString>

#include <functional>
#include <optional>
#include <vector>

namespace headroom::widgets {

/// What is known about the cell being edited.
struct SuggestionContext {
    int layer = 1;                      ///< from 1; of several the first
    int reusable = 0;                   ///< the layer whose map can be reused, from 1; 0: none
    int lastWindow = kUsualWindow;      ///< the last used window
    std::optional<int> suggestedWindow; ///< of Algorithm 1, if known
    double millisecondsPerToken = 40;
    QString whyNoReuse;  ///< a sentence, if no map can be reused
    bool masked = false; ///< all heads must be masked, as in a language model
    /// The mistakes that a text would be there; null: only the grammar decides.
    std::function<std::vector<HeadMistake>(const QString& text)> mistakesOf;
};

struct HeadSuggestion {
    QString text; ///< valid in the cell
    QString note; ///< "±7 tokens, ±280 ms"
};

/// Returns what the typed text may mean, nearest first, at most five. An empty text gives one of each kind. A
/// window alone is a local head, or a masked one where all must be. What would be a mistake there is not offered. Pure.
std::vector<HeadSuggestion> suggestionsFor(const QString& typed, const SuggestionContext& context);

/// Whether the typed text, written out, can stand there as it is; also groups with counts, where the context knows the heads.
bool isValidIn(const QString& typed, const SuggestionContext& context);

/// Says why layer `layer` (from 1) can reuse no map of the layers before it (core/architecture/layer_rules.h).
QString noReuseSentence(const std::vector<Architecture::Layer>& layers, int layer);

/// Says why the layers of a language model have no other heads than masked ones.
QString maskedOnlySentence();

/// Returns the sentence of `context` if what was typed begins a reuse that is not possible; otherwise empty.
QString refusedReuse(const QString& typed, const SuggestionContext& context);

/// Returns "local 33" for "l33" or "l 33", "local 33 block" for "b33": the beginning of a kind before a number. Other text only without
/// its outer blanks.
QString writtenOut(const QString& typed);

/// Whether a word of `head` begins with what was typed: "lo" and "b" are beginnings of "local 64 block".
bool isBeginningOf(const QString& typed, const QString& head);

/// Whether `head` is what was typed, or goes on from it without another value: "reuse 1" is not completed by "reuse 11".
bool isCompletedBy(const QString& typed, const QString& head);

/// Returns "±7 tokens, ±280 ms", "blocks of 5, 15 keys", "every token sees every token"; empty if the text is
/// not a head.
QString noteOf(const QString& text, double millisecondsPerToken);

} // namespace headroom::widgets
