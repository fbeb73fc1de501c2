// SPDX-License-Identifier: GPL-3.0-or-later
// The tiers above the map, its columns, and the note below.
#include "app/parts/number_text.h"
#include "app/parts/panel_header.h"
#include "app/workspaces/analyse/common/metrics_note.h"
#include "app/workspaces/analyse/words/n_best_list.h"
#include "app/workspaces/analyse/words/words_panel.h"
#include "widgets/look/fitted_combo.h"
#include "widgets/look/number_text.h"
#include "widgets/text_map/text_map_view.h"
#include "widgets/tiers/tier_lane.h"

#include <QComboBox>

#include <algorithm>
#include <cmath>

namespace headroom::app {

using widgets::TierLane;

namespace {

QString milliseconds(double seconds) {
    return widgets::timeText(seconds * 1000, 0) + QStringLiteral("\u202fms");
}

/// `followed`: text of the n-best list, from 0. `best`: the name of the tier of the best one.
QString tierName(std::size_t followed, const QString& best = WordsPanel::tr("attention")) {
    return followed > 0 ? WordsPanel::tr("text %1").arg(followed + 1) : best;
}

} // namespace

/// The columns of self-attention are tokens of the text, on an axis of their own.
void WordsPanel::showColumns() {
    widgets::TimeAxis* axis = isSelf() ? &m_inputAxis : m_axis;
    if (m_map->axis() != axis) {
        m_map->setAxis(axis);
        m_map->setWordAxis(isSelf() ? m_axis : nullptr);
    }
    QStringList labels = m_sourcePieces;
    std::vector<Interval> intervals;
    if (isSelf()) {
        labels = m_words->inputLabels();
        for (qsizetype token = 0; token < labels.size(); ++token)
            intervals.push_back({Seconds(double(token)), Seconds(double(token + 1)), pieceLabel(labels[token]).toStdString()});
        if (m_inputAxis.extent() != Seconds(double(labels.size())))
            m_inputAxis.setExtent(Seconds(double(labels.size())), widgets::AxisUnit::Tokens);
    }
    m_map->setKeyLabels(labels);
    m_inputs->setIntervals(std::move(intervals));
    m_inputs->setVisible(isSelf());
}

/// The first piece of a word is predicted where the decoder reads the token before it, of the prompt or the text.
void WordsPanel::markQuery() {
    if (!isSelf())
        return;
    const int place = m_map->currentWord();
    const SpokenWords::Word* word = place < 0 ? nullptr : &m_words->words[static_cast<std::size_t>(place)];
    m_inputAxis.setCursor(word && word->first < word->end ? std::optional(Seconds(double(m_words->firstRow) + word->first + 0.5)) : std::nullopt);
}

void WordsPanel::follow(std::size_t hypothesis) {
    if (hypothesis == m_followed || !m_best)
        return;
    m_followed = hypothesis;
    m_words = hypothesis == 0 ? m_best : std::make_shared<const SpokenWords>(m_best->following(hypothesis));
    m_header->setDetail(m_words->text);
    m_nBest->setFollowed(hypothesis);
    showTiers();
    showMap();
    Q_EMIT followedChanged();
}

void WordsPanel::setSource(bool isText, const QStringList& pieces) {
    m_isText = isText;
    m_sourcePieces = pieces;
    nameFirstText();
}

void WordsPanel::nameFirstText() {
    m_text->setItemText(0, m_isText ? tr("As written") : tr("As heard"));
}

void WordsPanel::showTiers() {
    using Word = SpokenWords::Word;
    const auto fill = [this](TierLane* lane, std::vector<int>& places,
                             std::optional<SpokenWords::Span> Word::*times, const QString& name,
                             const QString& whole, const QString& missing) {
        SpokenWords::Tier tier = m_words ? m_words->tier(times) : SpokenWords::Tier();
        WordDistance distance = wordDistance(tier.intervals, m_reference);
        lane->setName(name, whole);
        lane->setNote(std::isfinite(distance.mean) ? milliseconds(distance.mean) : QString(),
                      tr("Mean distance from the boundaries of the alignment."));
        places = tier.places;
        lane->setIntervals(tier.intervals, missing);
        lane->setVisible(!tier.intervals.empty());
        return std::pair(std::move(tier), std::move(distance));
    };
    const auto [attention, byAttention] =
        fill(m_attention, m_attentionPlaces, &Word::attention, tierName(m_followed),
             m_followed > 0 ? tr("Words of text %1 by cross-attention").arg(m_followed + 1) : tr("Words by cross-attention"),
             m_words ? m_words->attentionReason : QString());
    const auto [ctc, byCtc] = fill(m_ctc, m_ctcPlaces, &Word::ctc, tierName(m_followed, tr("CTC")),
                                   m_followed > 0 ? tr("Words of text %1 by CTC").arg(m_followed + 1) : tr("Words by CTC"),
                                   m_words ? m_words->ctcReason : QString());
    const bool attends = !attention.intervals.empty();
    std::vector<Interval> differences;
    std::vector<TierLane::Mark> marks;
    for (const WordDifference& match : (attends ? byAttention : byCtc).words) {
        const Interval& found = (attends ? attention : ctc).intervals[match.found];
        differences.push_back({found.start, found.end, signedWhole(1000 * match.start.value()).toStdString()});
        constexpr Seconds kFar{0.1};
        if (match.start > kFar || match.start < Seconds(0) - kFar)
            marks.push_back({found.start, found.end, tr("More than 100 ms from the alignment.")});
    }
    m_differences->setName(tr("start, ms"),
                           tr("Distance of each word's start from the alignment, in milliseconds"));
    m_differences->setVisible(!differences.empty());
    m_differences->setIntervals(std::move(differences));
    m_differences->setMarks(std::move(marks));
    m_note->setSentence(m_words ? noteText(byAttention, byCtc, false) : QString());
    m_figureNote = m_words ? noteText(byAttention, byCtc, true) : QString();
    m_note->setVisible(m_words != nullptr);
}

/// Also over self-attention, whose map has no times: the measures beside it are of the cross-attention.
WordReferences WordsPanel::references() const {
    if (!m_words)
        return {};
    const auto tier = m_words->tier(m_words->layers() > 0 ? &SpokenWords::Word::attention : &SpokenWords::Word::ctc);
    WordReferences references(m_words->words.size());
    for (const WordDifference& match : wordDistance(tier.intervals, m_reference).words) {
        const Interval& known = m_reference[match.reference];
        references[static_cast<std::size_t>(tier.places[match.found])] = widgets::TimeSpan{known.start, known.end};
    }
    return references;
}

QString WordsPanel::whyNoMap() const {
    if (m_words->layers() > 0)
        return tr("There is no map of this attention.");
    return m_words->ctcReason.isEmpty() ? tr("The text is empty.") : m_words->ctcReason;
}

/// A figure does not say what it does not have.
QString WordsPanel::noteText(const WordDistance& attention, const WordDistance& ctc, bool ofFigure) const {
    QStringList said;
    const auto distance = [](const WordDistance& found) {
        if (!std::isfinite(found.mean))
            return QString();
        return found.words.size() == 1 ? tr(", %1 from the alignment (1 word)").arg(milliseconds(found.mean))
                                       : tr(", on average %1 from the alignment (%2 words)")
                                             .arg(milliseconds(found.mean))
                                             .arg(found.words.size());
    };
    if (m_words->attentionReason.isEmpty()) {
        const auto heads = m_words->alignmentHeads.size();
        const QString which = m_words->headsAreNamed
                                  ? tr("the alignment heads that the model names (%1)").arg(heads)
                                  : tr("the heads of the upper half of the decoder (%1)").arg(heads);
        said << tr("Words by attention: dynamic time warping of the mean of %1%2.")
                    .arg(which, distance(attention));
    } else if (!ofFigure) {
        said << m_words->attentionReason;
    }
    const QStringList without = wordsWithoutToken(*m_words);
    if (without.size() == 1) // the map of self-attention has no times, and no boxes
        said << (isSelf() ? tr("The word “%1” has no token, so it is missing from the row “%2”.").arg(without.front(), tierName(m_followed))
                          : tr("The word “%1” has no token; its box marks where it would be.").arg(without.front()));
    else if (!without.isEmpty())
        said << (isSelf() ? tr("%1 words have no token, so they are missing from the row “%2”.").arg(without.size()).arg(tierName(m_followed))
                          : tr("%1 words have no token; their boxes mark where they would be.").arg(without.size()));
    if (m_words->ctcReason.isEmpty())
        said << tr("Words by CTC: the best path of the text%1.").arg(distance(ctc));
    else if (m_words->layers() == 0 && !ofFigure)
        said << m_words->ctcReason;
    if (m_followed > 0) {
        const bool lacks = std::ranges::any_of(m_words->words, [](const SpokenWords::Word& word) { return word.first == word.end; });
        said << tr("The map shows the pieces of text 1.");
        if (lacks)
            said << tr("Words of text %1 after the first difference have no pieces there.").arg(m_followed + 1);
        if (!ofFigure && m_words->followedPieces().empty())
            said << tr("Pieces and log-probabilities of text %1 are not known.").arg(m_followed + 1);
    }
    if (m_choice.measure == nameOf(MixingMeasure{Mixing::Contributions, false}))
        said << tr("Contributions: the rest of each row is the residual, the text so far.");
    if (m_reference.empty() && !isText() && !ofFigure)
        said << tr("There are no aligned words to compare with.");
    return said.join(QChar(u' '));
}

} // namespace headroom::app
