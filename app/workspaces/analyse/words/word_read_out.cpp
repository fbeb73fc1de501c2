// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/words/word_read_out.h"

#include "app/parts/number_text.h"
#include "widgets/look/translate.h"

#include <algorithm>
#include <cmath>

namespace headroom::app {

namespace {

/// The rows of a word that the map has: [first, end).
struct Rows {
    std::size_t first, end;
};

Rows rowsOf(const SpokenWords::Word& word, const MaxPyramid& map) {
    const auto first = static_cast<std::size_t>(std::max(word.first, 0));
    return {first, std::min(static_cast<std::size_t>(std::max(word.end, 0)), map.rows())};
}

QString exact(double value) {
    return std::isfinite(value) ? QString::number(value, 'g', 17) : QString();
}

ReadOutLine number(const QString& label, double value, int digits, const QString& unit = {}, bool strong = false) {
    const QString text = decimals(value, digits);
    return {label, std::isfinite(value) ? text + unit : text, exact(value), strong};
}

/// The same with a label for a narrow panel.
ReadOutLine withBrief(ReadOutLine line, const QString& briefLabel) {
    line.briefLabel = briefLabel;
    return line;
}

QString piecesText(const SpokenWords& words, const SpokenWords::Word& word) {
    const auto& pieces = words.followedPieces();
    const auto [first, end] = words.followedPieces(word);
    if (end <= first)
        return kUnknown;
    if (end - first != 1)
        return tr("%1 to %2 of %3").arg(first + 1).arg(end).arg(pieces.size());
    return tr("%1 of %2, id %3").arg(end).arg(pieces.size()).arg(pieces[static_cast<std::size_t>(first)].id);
}

QString differenceText(Seconds difference) {
    return signedWhole(difference.value() * 1000) + QStringLiteral("\u202fms");
}

/// ln P of the word's pieces, added; NaN without a decoder, and without pieces.
double logProbability(const SpokenWords& words, const SpokenWords::Word& word) {
    const auto [first, end] = words.followedPieces(word);
    double sum = first < end ? 0 : NAN;
    for (int piece = first; piece < end; ++piece)
        sum += words.followedPieces()[static_cast<std::size_t>(piece)].logProbability;
    return sum;
}

/// Whether the word's rows are shares that sum to 1. Contributions lack the residual's share.
bool areDistributions(const SpokenWords::Word& word, const MaxPyramid& map) {
    const Rows rows = rowsOf(word, map);
    for (std::size_t row = rows.first; row < rows.end; ++row) {
        double sum = 0;
        for (const float weight : map.level(0).row(row))
            sum += static_cast<double>(weight);
        if (!(std::abs(sum - 1) < 0.01))
            return false;
    }
    return true;
}

/// Mean over the word's rows of the map at a token; NaN where there is none.
double valueAt(const SpokenWords::Word& word, const MaxPyramid& map, std::optional<std::int64_t> token) {
    const Rows rows = rowsOf(word, map);
    if (!token || rows.first >= rows.end)
        return NAN;
    double sum = 0;
    for (std::size_t row = rows.first; row < rows.end; ++row)
        sum += static_cast<double>(map.level(0).row(row)[static_cast<std::size_t>(*token)]);
    return sum / static_cast<double>(rows.end - rows.first);
}

} // namespace

WordAttention attentionOfWord(const SpokenWords& words, int word, const MaxPyramid& map) {
    const SpokenWords::Word& found = words.words.at(static_cast<std::size_t>(word));
    const Rows rows = rowsOf(found, map);
    WordAttention result;
    if (rows.first >= rows.end)
        return result;
    auto time = words.timeOf(found);
    if (time && time->end <= time->start) // no token fell to it
        time.reset();
    const auto count = static_cast<double>(rows.end - rows.first);
    result.entropy = 0;
    result.inside = time ? 0 : NAN;
    for (std::size_t row = rows.first; row < rows.end; ++row) {
        const auto weights = map.level(0).row(row);
        for (std::size_t token = 0; token < weights.size(); ++token) {
            const auto weight = static_cast<double>(weights[token]);
            if (weight > 0)
                result.entropy -= weight * std::log(weight) / count;
            const Seconds centre = words.clock.centre(Tokens(static_cast<std::int64_t>(token)));
            if (time && centre >= time->start && centre < time->end)
                result.inside += weight / count;
        }
    }
    return result;
}

namespace {

QList<ReadOutLine> firstLines(const SpokenWords& words, const SpokenWords::Word* found) {
    const QString pieces = found ? piecesText(words, *found) : kUnknown;
    const auto [first, end] = found ? words.followedPieces(*found) : std::pair(0, 0);
    return {{tr("Word"), found ? found->label : kUnknown, found ? found->label : QString(), true},
            {end - first == 1 ? tr("Piece") : tr("Pieces"), pieces, found ? pieces : QString()},
            withBrief(number(tr("Log-probability"), found ? logProbability(words, *found) : NAN, 3),
                      tr("Log p"))};
}

/// A token of a text by its label and its place from 0; empty outside.
QString tokenText(const QStringList& labels, std::optional<Seconds> pointer,
                  const QString& words = tr("%1, token %2")) {
    const int token = pointer ? int(std::floor(pointer->value())) : -1;
    return token >= 0 && token < labels.size() ? words.arg(labels[token]).arg(token) : QString();
}

QString briefToken(const QStringList& labels, std::optional<Seconds> pointer) {
    return tokenText(labels, pointer, QStringLiteral("%1, %2"));
}

QString capitalised(const QString& name) {
    return name.at(0).toUpper() + name.mid(1);
}

/// "Attention there"; of a word of several pieces "Mean attention there", because each of its rows has its own.
ReadOutLine valueThere(const SpokenWords::Word* word, const QString& valueName, double value) {
    const bool isMean = word && word->end - word->first > 1;
    const QString name = isMean ? tr("Mean %1").arg(valueName) : capitalised(valueName);
    return withBrief(number(tr("%1 there").arg(name), value, 4, {}, true), name);
}

} // namespace

QList<ReadOutLine> selfLines(const SpokenWords& words, int word, const MaxPyramid* map, const QStringList& inputs,
                             std::optional<Seconds> pointer, const QString& valueName) {
    const SpokenWords::Word* found = word < 0 ? nullptr : &words.words.at(static_cast<std::size_t>(word));
    QList<ReadOutLine> lines = firstLines(words, found);
    const QString key = tokenText(inputs, pointer);
    lines << ReadOutLine{
        tr("Pointer (key)"), key.isEmpty() ? kUnknown : key, key, false, briefToken(inputs, pointer),
        tr("Pointer")};
    std::optional<std::int64_t> token;
    if (!key.isEmpty() && map && pointer->value() < static_cast<double>(map->columns()))
        token = static_cast<std::int64_t>(std::floor(pointer->value()));
    lines << valueThere(found, valueName, found && map ? valueAt(*found, *map, token) : NAN);
    return lines;
}

QList<ReadOutLine> wordLines(const SpokenWords& words, int word, const MaxPyramid* map,
                             std::optional<widgets::TimeSpan> reference, std::optional<Seconds> pointer,
                             const QString& valueName) {
    const bool attends = words.layers() > 0,
               byCtc = !attends && words.ctc; // neither: there are no words, of whatever model
    const SpokenWords::Word* found = word < 0 ? nullptr : &words.words.at(static_cast<std::size_t>(word));
    auto time = found ? words.timeOf(*found) : std::nullopt;
    if (time && time->end <= time->start) // no token fell to it
        time.reset();
    QList<ReadOutLine> lines = firstLines(words, found);
    const auto add = [&lines](const QString& label, const QString& value, const QString& full,
                              bool strong = false, const QString& briefLabel = {}) {
        lines << ReadOutLine{label, value, full, strong, {}, briefLabel};
    };
    const auto addTime = [&](const QString& label, const QString& brief, std::optional<Seconds> at) {
        add(label, at ? secondsText(*at) : kUnknown, at ? exact(at->value()) : QString(), true, brief);
    };
    addTime(attends ? tr("From, by attention")
            : byCtc ? tr("From, by CTC")
                    : tr("From"),
            tr("From"), time ? std::optional(time->start) : std::nullopt);
    addTime(tr("to"), {}, time ? std::optional(time->end) : std::nullopt);
    const bool known = found && reference;
    // With the digits of the times above, so that the differences below come out.
    lines << ReadOutLine{tr("Reference"),
                         known ? tr("%1 to %2").arg(secondsBare(reference->start), secondsText(reference->end)) : kUnknown,
                         known ? exact(reference->start.value()) + QStringLiteral(" ") + exact(reference->end.value()) : QString(),
                         false,
                         known ? tr("%1 to %2").arg(secondsInListBare(reference->start), secondsInList(reference->end)) : QString()};
    const bool compared = known && time;
    const QString difference = compared ? differenceText(time->start - reference->start) + QStringLiteral(", ") +
                                              differenceText(time->end - reference->end)
                                        : kUnknown;
    add(tr("Difference"), difference, compared ? difference : QString());
    if (attends && (!found || !map || areDistributions(*found, *map))) {
        const WordAttention attention = found && map ? attentionOfWord(words, word, *map) : WordAttention();
        lines << withBrief(number(tr("Inside the word"), attention.inside, 3), tr("Inside"));
        lines << withBrief(number(tr("Entropy of the row"), attention.entropy, 2, tr(" nats")),
                           tr("Entropy"));
    }
    std::optional<std::int64_t> token;
    if (pointer && map && !map->empty())
        token = words.clock.tokenAt(*pointer, Tokens(static_cast<std::int64_t>(map->columns()))).value();
    const QString place = token ? secondsText(words.clock.centre(Tokens(*token))) + QStringLiteral(", ") + QString::number(*token) : kUnknown;
    add(tr("Pointer (key)"), place, token ? place : QString(), false, tr("Pointer"));
    const QString value = !valueName.isEmpty() ? valueName
                          : attends            ? tr("attention")
                          : byCtc              ? tr("probability")
                                               : tr("value");
    lines << valueThere(found, value, found && map ? valueAt(*found, *map, token) : NAN);
    return lines;
}

QList<ReadOutLine> translationLines(const SpokenWords* words, const QStringList& source, std::optional<Seconds> pointer) {
    const std::vector<SpokenWords::Piece> known = words ? words->followedPieces() : std::vector<SpokenWords::Piece>();
    double sum = known.empty() ? NAN : 0;
    for (const SpokenWords::Piece& piece : known)
        sum += piece.logProbability;
    const auto count = [](qsizetype pieces) { return pieces > 0 ? QString::number(pieces) : kUnknown; };
    const QString tokens = count(source.size()), pieces = count(qsizetype(known.size()));
    const QString named = tokenText(source, pointer), key = named.isEmpty() ? kUnknown : named;
    return {{tr("Source tokens"), tokens, tokens},
            {tr("Pieces"), pieces, pieces},
            withBrief(number(tr("Log-probability"), sum, 3), tr("Log p")),
            {tr("Pointer (key)"), key, key, true, briefToken(source, pointer), tr("Pointer")}};
}

} // namespace headroom::app
