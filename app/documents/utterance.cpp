// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/utterance.h"

namespace headroom::app {

QString Utterance::transcript() const {
    QStringList words;
    if (alignment)
        for (const Interval& word : alignment->words)
            if (!word.label.empty())
                words << QString::fromStdString(word.label);
    return words.join(QLatin1Char(' '));
}

} // namespace headroom::app
