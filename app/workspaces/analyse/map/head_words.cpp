// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/map/head_words.h"

#include "core/analysis/masked_loss.h"
#include "core/architecture/edits.h"
#include "widgets/look/translate.h"

#include <QStringList>

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

widgets::BandShape::Kind bandKindOf(const std::vector<HeadGroup>& heads) {
    return seeNothingLater(heads) ? widgets::BandShape::Kind::Masked : widgets::BandShape::Kind::Centred;
}

} // namespace headroom::app
