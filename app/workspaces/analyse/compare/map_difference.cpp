// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/compare/map_difference.h"

#include "app/parts/number_text.h"
#include "core/time/rounded_time.h"
#include "widgets/look/number_text.h"
#include "widgets/look/translate.h"

#include <cmath>
#include <stdexcept>

namespace headroom::app {

namespace {

QString countedTokens(std::int64_t number) {
    return widgets::counted(number, tr("1 token"), tr("%1 tokens"));
}

/// "st-small has 83 tokens of 40 ms, the first at 13 ms".
QString tokensOf(const ComparedTokens& side, bool withOffset) {
    const auto milliseconds = [](Seconds time) {
        return widgets::shortNumberText(roundedTime(1000 * time.value(), 1)) + QChar(0x202F) + QStringLiteral("ms");
    };
    QString text =
        tr("%1 has %2 of %3").arg(side.name, countedTokens(side.tokens), milliseconds(side.clock.step()));
    if (side.clock.bands() > 1)
        text += tr(" in %1 bands").arg(side.clock.bands());
    if (withOffset)
        text += tr(", the first at %1").arg(milliseconds(side.clock.offset()));
    return text;
}

bool near(Seconds one, Seconds other) {
    return std::abs((one - other).value()) < 1e-6;
}

} // namespace

MapDifference differenceOf(const MaxPyramid& a, const MaxPyramid& b) {
    if (a.empty() || a.rows() != b.rows() || a.columns() != b.columns())
        throw std::invalid_argument("Only maps of one size have a difference.");
    Matrix<float> more(a.rows(), a.columns()), less(a.rows(), a.columns());
    const auto &one = a.level(0).values(), &other = b.level(0).values();
    for (std::size_t cell = 0; cell < one.size(); ++cell) {
        more.values()[cell] = one[cell] - other[cell];
        less.values()[cell] = other[cell] - one[cell];
    }
    return {std::make_shared<const MaxPyramid>(std::move(more)),
            std::make_shared<const MaxPyramid>(std::move(less))};
}

QString frontEndWords(const Architecture::FrontEnd& frontEnd) {
    const auto list = [](const std::vector<int>& values) {
        QStringList words;
        for (const int value : values)
            words.append(QString::number(value));
        return words.join(QStringLiteral(", "));
    };
    if (frontEnd.kind == FrontEndKind::Patches)
        return tr("%1 features, patches of %2, strides %3 in time and %4 in frequency")
            .arg(frontEnd.features)
            .arg(frontEnd.kernels.front())
            .arg(frontEnd.strides.front())
            .arg(frontEnd.frequencyStride);
    if (frontEnd.reads == InputKind::Text)
        return tr("the tokens of a text");
    const QString reads = frontEnd.reads == InputKind::Waveform ? tr("samples")
                          : frontEnd.features == 1              ? tr("1 feature")
                                                                : tr("%1 features").arg(frontEnd.features);
    const bool isStacked = frontEnd.reads == InputKind::StackedKaldiLogMel && frontEnd.stacked > 1;
    if (frontEnd.kernels.empty())
        return isStacked ? tr("%1 of %2 frames, without convolutions").arg(reads).arg(frontEnd.stacked) : tr("%1, without convolutions").arg(reads);
    return (frontEnd.kernels.size() == 1 ? tr("%1 with kernel %2 and stride %3") : tr("%1 with kernels %2 and strides %3"))
        .arg(reads, list(frontEnd.kernels), list(frontEnd.strides));
}

QString whyNoDifference(const ComparedTokens& a, const ComparedTokens& b) {
    if (a.utterance != b.utterance)
        return a.pieces || b.pieces ? tr("A − B needs one text, because tokens of two texts do not correspond.") : tr("A − B needs one recording, because tokens of two recordings do not correspond.");
    if (a.tokens == 0 || b.tokens == 0)
        return tr("A − B needs both maps, and one is not analysed yet.");
    if (a.part != b.part)
        return tr("A − B needs the same part of the recording.");
    if (a.pieces && b.pieces) {
        if (a.pieces->isEmpty() || b.pieces->isEmpty())
            return tr("A − B needs both maps, and one is not analysed yet.");
        if (*a.pieces != *b.pieces)
            return tr("A − B needs the same tokens, but the tokenizers differ: %1 has %2; %3 has %4.")
                .arg(a.name, countedTokens(a.tokens), b.name, countedTokens(b.tokens));
    }
    const bool sameStep = near(a.clock.step(), b.clock.step()) && a.clock.bands() == b.clock.bands();
    const bool sameClock = sameStep && near(a.clock.offset(), b.clock.offset());
    if (a.tokens != b.tokens || !sameClock)
        return tr("A − B needs the same tokens, but the front ends differ: %1; %2.")
            .arg(tokensOf(a, sameStep && !sameClock), tokensOf(b, sameStep && !sameClock));
    if (!a.frontEnd.isEmpty() && !b.frontEnd.isEmpty() && a.frontEnd != b.frontEnd)
        return tr("A − B needs the same tokens, but the front ends differ: %1 reads %2; %3 reads %4.")
            .arg(a.name, a.frontEnd, b.name, b.frontEnd);
    if (!a.hasMap || !b.hasMap)
        return tr("A − B needs both maps, and one is not available.");
    return {};
}

} // namespace headroom::app
