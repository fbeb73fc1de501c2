// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/items/open_utterance.h"

#include <vector>

namespace headroom::app {

/// The words of the alignment whose middle lies in the part that is analysed; without a part all of them.
inline std::vector<Interval> analysedWords(const OpenUtterance& utterance) {
    if (!utterance.alignment)
        return {};
    std::vector<Interval> words = utterance.alignment->words;
    if (utterance.part)
        std::erase_if(words, [&](const Interval& word) {
            const double middle = (word.start.value() + word.end.value()) / 2;
            return middle < utterance.part->start.value() || middle >= utterance.part->end.value();
        });
    return words;
}

/// The text as given: of a part that of its words in the alignment, which a model can hear that hears this part alone.
inline QString analysedTranscript(const OpenUtterance& utterance) {
    if (!utterance.part)
        return utterance.givenText();
    QStringList words;
    for (const Interval& word : analysedWords(utterance))
        if (!word.label.empty())
            words << QString::fromStdString(word.label);
    return words.join(QLatin1Char(' '));
}

} // namespace headroom::app
