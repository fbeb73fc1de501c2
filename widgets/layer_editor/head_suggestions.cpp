// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/layer_editor/head_suggestions.h"

#include "core/architecture/head_groups.h"
#include "core/architecture/layer_rules.h"
#include "widgets/look/number_text.h"
#include "widgets/look/translate.h"

#include <QRegularExpression>
#include <QStringList>

namespace headroom::widgets {

namespace {

constexpr std::size_t kMost = 5;
std::optional<HeadGroup> headOf(const QString& text) {
    try {
        const auto groups = parseHeads("1 " + text.simplified().toStdString());
        if (groups.size() == 1)
            return groups.front();
    } catch (const Error&) {
        // not yet a head
    }
    return std::nullopt;
}

QStringList kinds(const SuggestionContext& context) {
    if (context.masked) {
        QStringList texts{QStringLiteral("masked"), QStringLiteral("masked %1").arg(context.lastWindow)};
        if (context.suggestedWindow && *context.suggestedWindow != context.lastWindow)
            texts << QStringLiteral("masked %1").arg(*context.suggestedWindow);
        return texts;
    }
    QStringList texts{QStringLiteral("full"), QStringLiteral("local %1").arg(context.lastWindow)};
    if (context.suggestedWindow && *context.suggestedWindow != context.lastWindow)
        texts << QStringLiteral("local %1").arg(*context.suggestedWindow);
    texts << QStringLiteral("local %1 block").arg(kUsualBlock) << QStringLiteral("conv 5/2") << QStringLiteral("masked");
    if (context.reusable > 0)
        texts << QStringLiteral("reuse %1").arg(context.reusable);
    return texts;
}

/// The rules refuse the maps of some layer before for its conv heads, and for nothing else.
bool onlyShortened(std::vector<Architecture::Layer> layers, int number) {
    HeadGroup reuse;
    reuse.kind = HeadKind::Reuse;
    reuse.count = layers.at(std::size_t(number) - 1).headCount();
    for (reuse.reusedLayer = number - 1; reuse.reusedLayer >= 1; --reuse.reusedLayer) {
        layers[std::size_t(number) - 1].heads = {reuse};
        if (const auto mistake = layerMistake(layers, number, {}); mistake && mistake->code == "architecture.reuseOfConv")
            return true;
    }
    return false;
}

} // namespace

QString noteOf(const QString& text, double millisecondsPerToken) {
    const auto head = headOf(text);
    if (!head)
        return {};
    if (head->suppressed)
        return tr("removes weak weights");
    if (head->smoothed)
        return tr("sigmoid focus");
    if (head->relaxed)
        return relaxesAtInference(*head) ? tr("γ also at inference") : tr("γ in training");
    switch (head->kind) {
    case HeadKind::Full:
        return tr("every token sees every token");
    case HeadKind::Local: {
        const int side = head->window / 2;
        if (side == 0)
            return tr("only itself");
        const QString tokens = counted(side, tr("±1 token"), tr("±%1 tokens"));
        return millisecondsPerToken <= 0 ? tokens : tr("%1, ±%2").arg(tokens, timeText(side * millisecondsPerToken, 0)) + kNarrowSpace + QStringLiteral("ms");
    }
    case HeadKind::LocalBlock:
        return tr("blocks of %1, %2 keys").arg(head->window / 3).arg(head->window / 3 * 3);
    case HeadKind::Conv: {
        const auto form = head->convForm == ConvForm::Separable      ? tr(", depthwise and 1 × 1")
                          : head->convForm == ConvForm::Normal       ? tr(", dense")
                          : head->convForm == ConvForm::Speechformer ? tr(", before the projections")
                                                             : QString();
        return tr("keys shortened %1 : 1%2").arg(head->convStride).arg(form);
    }
    case HeadKind::Masked: {
        if (head->window == 0)
            return tr("itself and earlier tokens");
        const int side = head->window / 2;
        return side == 0                   ? tr("only itself")
               : millisecondsPerToken <= 0 ? tr("itself and %1 earlier").arg(side)
                                           : tr("itself and %1 earlier, %2")
                                                     .arg(side)
                                                     .arg(timeText(side * millisecondsPerToken, 0)) +
                                                 kNarrowSpace + QStringLiteral("ms");
    }
    case HeadKind::Reuse:
        return tr("all heads: the map of layer %1, values twice as wide").arg(head->reusedLayer);
    }
    return {};
}

QString maskedOnlySentence() {
    return tr("A language model predicts each token from those before it, so its heads are masked.");
}

QString noReuseSentence(const std::vector<Architecture::Layer>& layers, int layer) {
    if (layer == 1)
        return tr("Layer 1 has no earlier layer whose map it could reuse.");
    const int heads = layers.at(std::size_t(layer) - 1).headCount();
    if (onlyShortened(layers, layer))
        return heads == 1
                   ? tr("No map for one head before layer %1 can be reused: conv heads shorten their keys.").arg(layer)
                   : tr("No maps for %2 heads before layer %1 can be reused: conv heads shorten their keys.").arg(layer).arg(heads);
    return heads == 1 ? tr("No layer before layer %1 has a map of its own for one head.").arg(layer)
                      : tr("No layer before layer %1 has maps of its own for %2 heads.").arg(layer).arg(heads);
}

QString refusedReuse(const QString& typed, const SuggestionContext& context) {
    const QString word = typed.simplified().section(QLatin1Char(' '), 0, 0);
    return !word.isEmpty() && QStringLiteral("reuse").startsWith(word, Qt::CaseInsensitive) ? context.whyNoReuse : QString();
}

QString writtenOut(const QString& typed) {
    const QString text = typed.simplified();
    static const QRegularExpression kShort(QStringLiteral("^(\\p{L}+) ?([0-9].*)$"));
    const auto found = kShort.match(text);
    if (!found.hasMatch() || headOf(text))
        return text;
    for (const char* kind : {"local", "conv", "masked", "reuse"})
        if (QLatin1String(kind).startsWith(found.captured(1), Qt::CaseInsensitive))
            return QLatin1String(kind) + QLatin1Char(' ') + found.captured(2);
    return QStringLiteral("block").startsWith(found.captured(1), Qt::CaseInsensitive) ? QStringLiteral("local %1 block").arg(found.captured(2)) : text;
}

bool isValidIn(const QString& typed, const SuggestionContext& context) {
    const QString text = writtenOut(typed);
    return context.mistakesOf ? !text.isEmpty() && context.mistakesOf(text).empty() : headOf(text).has_value();
}

bool isBeginningOf(const QString& typed, const QString& head) {
    return head.startsWith(typed) || head.contains(QLatin1Char(' ') + typed);
}

bool isCompletedBy(const QString& typed, const QString& head) {
    if (typed.isEmpty() || !isBeginningOf(typed, head))
        return false;
    const QString word = QLatin1Char(' ') + typed;
    if (typed == head || head.endsWith(word))
        return true;
    const QChar next = head.at(head.startsWith(typed) ? typed.size() : head.indexOf(word) + word.size());
    return !headOf(typed) && !(typed.back().isDigit() && (next.isDigit() || next == QLatin1Char('.')));
}

std::vector<HeadSuggestion> suggestionsFor(const QString& typed, const SuggestionContext& context) {
    QString text = writtenOut(typed);
    QStringList found;
    const auto offer = [&](const QString& candidate) {
        if (!found.contains(candidate) && headOf(candidate) && isValidIn(candidate, context))
            found << candidate;
    };
    bool isNumber = false;
    const int number = text.toInt(&isNumber);
    if (isNumber)
        text = (context.masked ? QStringLiteral("masked %1") : QStringLiteral("local %1")).arg(number);
    if (headOf(text)) {
        offer(text);
        if (!isNumber || number >= 3)
            offer(text + QStringLiteral(" block"));
        if (!text.contains(QStringLiteral("relaxed")))
            offer(text + QStringLiteral(" relaxed 0.01"));
        offer(text + QStringLiteral(" smoothed"));
        offer(text + QStringLiteral(" suppressed 0.5"));
        for (const char* form : {" separable", " normal", " speechformer"}) // only of a convolution
            offer(text + QLatin1String(form));
    }
    for (const QString& one : kinds(context))
        if (isBeginningOf(text, one))
            offer(one);
    if (!text.isEmpty() && QStringLiteral("masked").startsWith(text))
        offer(QStringLiteral("masked %1").arg(context.lastWindow));
    // An even window, a later layer or a slip of the pen: what the rules and the grammar propose.
    if (found.isEmpty() && context.mistakesOf)
        for (const HeadMistake& mistake : context.mistakesOf(text))
            for (const std::string& one : mistake.suggestions)
                offer(QString::fromStdString(one));
    if (found.isEmpty())
        try {
            (void)parseHeads("1 " + text.toStdString());
        } catch (const Error& error) {
            for (const auto& one : error.values()["suggestions"])
                offer(QString::fromStdString(one.get<std::string>()).mid(2));
        }
    std::vector<HeadSuggestion> suggestions;
    for (const QString& one : found)
        if (suggestions.size() < (text.isEmpty() ? kMost + 2 : kMost))
            suggestions.push_back({one, noteOf(one, context.millisecondsPerToken)});
    return suggestions;
}

} // namespace headroom::widgets
