// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/items/open_utterance.h"

#include "widgets/look/translate.h"

#include <algorithm>

namespace headroom::app {

PartSamples partSamples(const Recording& recording, const std::optional<Part>& part) {
    const auto count = static_cast<std::int64_t>(recording.samples.size());
    if (!part)
        return {0, count};
    const auto first = std::clamp<std::int64_t>(kModelSampleRate.nearest(part->start).value(), 0, count);
    return {first, std::clamp<std::int64_t>(kModelSampleRate.nearest(part->end).value(), first, count)};
}

QString quotedText(const QString& text) {
    constexpr qsizetype kMostShown = 40;
    if (text.size() <= kMostShown)
        return tr("“%1”").arg(text);
    qsizetype end = text.lastIndexOf(u' ', kMostShown - 1);
    if (end < kMostShown / 2) // one long word, or a script that writes no spaces: no letter loses its second half or its mark
        for (end = kMostShown - 1; end > 1 && (text[end].isLowSurrogate() || text[end].isMark());)
            --end;
    return tr("“%1…”").arg(text.left(end));
}

QString OpenUtterance::shownName() const {
    if (!isText || text.isEmpty())
        return apart.isEmpty() ? name : apart;
    return apart.isEmpty() ? quotedText(text) : tr("%1 (%2)").arg(quotedText(text), apart);
}

QString OpenUtterance::title() const {
    if (!isText || text.isEmpty())
        return shownName();
    return apart.isEmpty() ? text : tr("%1 (%2)").arg(text, apart);
}

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
