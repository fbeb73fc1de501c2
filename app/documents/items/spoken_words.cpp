// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/items/spoken_words.h"

#include "widgets/look/translate.h"

namespace headroom::app {

std::shared_ptr<const MaxPyramid> SpokenWords::map(int layer, int head, WordsBlock block) const {
    if (cross.empty())
        return ctc;
    if (layer < 1 || layer > layers() || head < 0 || head > heads())
        return nullptr;
    const auto place = static_cast<std::size_t>(layer) - 1;
    const bool isSelf = block == WordsBlock::Self;
    if (head == 0)
        return (isSelf ? selfMeans : means)[place];
    const auto& maps = (isSelf ? self : cross)[place];
    return static_cast<std::size_t>(head) <= maps.size() ? maps[static_cast<std::size_t>(head) - 1] : nullptr;
}

QStringList SpokenWords::inputLabels() const {
    QStringList labels = prompt;
    for (const Piece& piece : pieces)
        if (!piece.ends)
            labels << piece.text;
    return labels;
}

SpokenWords::Tier SpokenWords::tier(std::optional<Span> Word::*times) const {
    Tier found;
    for (std::size_t place = 0; place < words.size(); ++place)
        if (const auto& span = words[place].*times; span && span->end > span->start) {
            found.intervals.push_back({span->start, span->end, words[place].label.toStdString()});
            found.places.push_back(static_cast<int>(place));
        }
    return found;
}

SpokenWords SpokenWords::following(std::size_t hypothesis) const {
    const Hypothesis& followed = hypotheses.at(hypothesis);
    SpokenWords other = *this;
    other.ownPieces = followed.pieces;
    other.words.clear();
    QStringList labels;
    bool isShared = true;
    const auto isPieceShared = [&](int piece) { // not known: the label tells
        const auto at = static_cast<std::size_t>(piece);
        return followed.pieces.empty() || (at < followed.pieces.size() && followed.pieces[at].id == pieces[at].id);
    };
    for (const Hypothesis::TimedWord& one : followed.words) {
        const std::size_t place = other.words.size();
        isShared = isShared && place < words.size() && words[place].label == one.label;
        for (int piece = isShared ? words[place].first : 0; isShared && piece < words[place].end; ++piece)
            isShared = isPieceShared(piece);
        Word word{one.label, isShared ? words[place].first : 0, isShared ? words[place].end : 0, {}, {}, one.first, one.end};
        (layers() > 0 ? word.attention : word.ctc) = one.time;
        other.words.push_back(std::move(word));
        labels << one.label;
    }
    other.text = labels.join(QLatin1Char(' '));
    if (layers() > 0 && ctcReason.isEmpty())
        other.ctcReason = tr("Only the words of the best text have times by CTC.");
    return other;
}

std::size_t SpokenWords::bytes() const {
    const auto of = [](const std::shared_ptr<const MaxPyramid>& map) {
        return map ? map->rows() * map->columns() * sizeof(float) * 4 / 3 : 0;
    };
    std::size_t sum = of(ctc);
    for (const auto* block : {&cross, &self})
        for (const auto& layer : *block)
            for (const auto& head : layer)
                sum += of(head);
    for (const auto* maps : {&means, &selfMeans})
        for (const auto& map : *maps)
            sum += of(map);
    return sum;
}

void DecoderLayerState::takeChecks(const DecoderLayerState& from) {
    rowSumError = from.rowSumError;
    rebuildError = from.rebuildError;
    gramError = from.gramError;
    reason = from.reason;
    checked = from.checked;
}

QString pieceLabel(const QString& piece) {
    // SentencePiece's, that of the byte-level encoding, that of characters.
    const bool separates = piece == QStringLiteral("\u2581") || piece == QStringLiteral("\u0120") || piece == QStringLiteral("|");
    return separates ? tr("space") : piece;
}

const DecoderLayerState* WordsState::layer(int number, WordsBlock block) const {
    const auto found = layers.find({block, number});
    return found == layers.end() ? nullptr : &found->second;
}

const MeasuredWords* WordsState::measured(int number, WordsBlock block, const std::string& name) const {
    const DecoderLayerState* of = layer(number, block);
    if (!of)
        return nullptr;
    const auto found = of->measures.find(name);
    return found == of->measures.end() ? nullptr : &found->second;
}

} // namespace headroom::app
