// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <optional>
#include <vector>

namespace headroom::widgets {

/// What is known where something is typed.
struct SuggestionContext {
    int layer = 1;                      ///< from 1
    int heads = 4;                      ///< of that layer
    int lastWindow = 17;                ///< the window last used
    std::optional<int> suggestedWindow; ///< of Algorithm 1, where it is known
    double millisecondsPerToken = 40;
};

struct HeadSuggestion {
    QString text; ///< valid in a cell
    QString note; ///< "±7 tokens, ±280 ms"
};

/// What somebody may mean who has typed so much, the nearest first; at most five. An empty text offers one of
/// each kind instead. A window alone is a local head. Pure.
std::vector<HeadSuggestion> suggestionsFor(const QString& typed, const SuggestionContext& context);

/// "±7 tokens, ±280 ms", "blocks of 5, 15 keys", "every token sees every token"; empty where the text is no
/// head.
QString noteOf(const QString& text, double millisecondsPerToken);

} // namespace headroom::widgets
