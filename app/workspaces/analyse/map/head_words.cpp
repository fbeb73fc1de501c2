// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/map/head_words.h"

#include "app/documents/items/map_names.h"
#include "core/analysis/masked_loss.h"
#include "core/architecture/edits.h"
#include "widgets/look/translate.h"

#include <QStringList>

#include <algorithm>

namespace headroom::app {

namespace {

QString wordsOf(const HeadGroup& group) {
    HeadGroup bare;
    bare.kind = group.kind;
    bare.window = group.window;
    bare.reusedLayer = group.reusedLayer;
    if (group.kind == HeadKind::LocalBlock)
        return tr("block %1").arg(group.window);
    if (group.kind == HeadKind::Conv)
        return tr("conv");
    return QString::fromStdString(toText({bare})).mid(2); // without "1 "
}

QString keysAreNotTokens(const MapSource& source) {
    return source.kind == MapSource::Kind::HeadMean
               ? tr("The keys of a head in this layer are not the tokens, so there is no mean of the heads.")
               : tr("The keys of this head are not the tokens, so it has no N × N map.");
}

} // namespace

QString otherKinds(const std::vector<HeadGroup>& heads) {
    const bool isMasked = !heads.empty() && heads.front().kind == HeadKind::Masked;
    if (const auto window = oneWindowOf(heads); heads.empty() || (window && (!isMasked || *window > 0)))
        return {};
    QStringList words;
    for (const HeadGroup& group : heads)
        if (const QString one = wordsOf(group); !words.contains(one))
            words << one;
    return words.join(QStringLiteral(" + "));
}

std::vector<HeadGroup> headsOfMap(const std::vector<HeadGroup>& heads, const MapSource& source) {
    int before = 0;
    for (const HeadGroup& group : heads) {
        if (source.kind == MapSource::Kind::Head && source.head > before && source.head <= before + group.count)
            return {group};
        before += group.count;
    }
    return heads;
}

widgets::BandShape::Kind bandKindOf(const std::vector<HeadGroup>& heads) {
    const auto widest = windowOf(heads);
    const bool isOfMasked = widest && std::ranges::none_of(heads, [&](const HeadGroup& group) { return group.kind == HeadKind::Local && group.window == *widest; });
    return isOfMasked ? widgets::BandShape::Kind::Masked : drawnKindOf(heads);
}

widgets::BandShape::Kind drawnKindOf(const std::vector<HeadGroup>& heads) {
    return seeNothingLater(heads) ? widgets::BandShape::Kind::Masked : widgets::BandShape::Kind::Centred;
}

widgets::BandShape bandShapeOf(const std::vector<HeadGroup>& heads) {
    return {bandKindOf(heads), windowOf(heads).value_or(0)};
}

std::vector<HeadGroup> withDrawnWindow(const std::vector<HeadGroup>& heads, int window) {
    return withWindow(heads, window > 0 ? std::optional(std::min(window, kWidestWindow)) : std::nullopt);
}

QString kindsOfBand(const std::vector<HeadGroup>& heads) {
    bool isLocal = false, isMasked = false;
    for (const HeadGroup& group : heads)
        if (group.window > 0 && group.window == windowOf(heads)) {
            isLocal = isLocal || group.kind == HeadKind::Local;
            isMasked = isMasked || group.kind == HeadKind::Masked;
        }
    return isLocal && isMasked ? tr("local and masked") : isMasked ? tr("masked") : isLocal ? tr("local") : QString();
}

QString whyNotImported(const LayerResult& layer, const MapSource& source) {
    if (!layer.foreign || !layer.isReady() || source.isMixing())
        return {};
    if (source.isContributions())
        return layer.contributions ? QString() : layer.reason;
    if (layer.attentionProfiles.empty())
        return tr("The imported maps do not contain the attention of this layer.");
    const auto head = static_cast<std::size_t>(source.head) - 1;
    if (source.kind == MapSource::Kind::Head && head >= layer.attentionProfiles.size())
        return tr("This layer has no %1.").arg(mapNoun(source));
    const bool isThere = source.kind == MapSource::Kind::HeadMean ? layer.mean != nullptr : !layer.attentionProfiles[head].empty();
    return isThere ? QString() : keysAreNotTokens(source);
}

QString missingMapText(const LayerResult& layer, const MapSource& source) {
    if (source.isMixing()) {
        const MixedMap* mixed = layer.mixed(source.mixing);
        return mixed && !mixed->reason.isEmpty()                  ? mixed->reason
               : layer.mixingAsked.contains(nameOf(source.mixing)) ? tr("Computing %1…").arg(mapNoun(source))
                                                                   : tr("The %1 of this layer is missing. Analyse again to compute it.")
                                                                         .arg(mapNoun(source));
    }
    if (const QString why = whyNotImported(layer, source); !why.isEmpty())
        return why;
    if (source.isContributions())
        return !layer.reason.isEmpty()    ? layer.reason
               : layer.contributionsAsked ? tr("Loading the contributions of this layer…")
                                          : tr("The contributions of this layer are missing. Analyse again to load them.");
    if (layer.attentionAsked && !layer.attention)
        return tr("Loading the attention of this layer…");
    if (!layer.attention)
        return tr("The attention of this layer is missing. Analyse again to load it.");
    const auto head = static_cast<std::size_t>(source.head) - 1;
    const bool isThere = source.kind == MapSource::Kind::HeadMean ||
                         (head < layer.attention->compressed.size() && !layer.attention->compressed[head].empty());
    return isThere ? keysAreNotTokens(source) : tr("This layer has no %1.").arg(mapNoun(source));
}

} // namespace headroom::app
