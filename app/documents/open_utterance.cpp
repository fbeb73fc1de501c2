// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/open_utterance.h"

#include <algorithm>

namespace headroom::app {

QString OpenUtterance::transcript() const {
    if (isText)
        return target;
    QStringList words;
    if (alignment)
        for (const Interval& word : alignment->words)
            if (!word.label.empty())
                words << QString::fromStdString(word.label);
    return words.isEmpty() ? texts.transcript : words.join(QLatin1Char(' '));
}

const AlignmentFinding* OpenUtterance::worstFinding() const {
    if (!alignmentReport || !alignment) // what could not be read is among the warnings
        return nullptr;
    for (const AlignmentFinding& finding : alignmentReport->findings) {
        const bool said = std::any_of(alignment->warnings.begin(), alignment->warnings.end(),
                                      [&](const Warning& one) { return one.code == finding.code; });
        if (finding.severity == AlignmentFinding::Severity::Error ||
            (!said && finding.code != "alignment.noWords"))
            return &finding;
    }
    return nullptr;
}

} // namespace headroom::app
