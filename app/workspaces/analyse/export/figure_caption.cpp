// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/export/figure_caption.h"

#include "app/documents/drafts/drafts.h"
#include "app/documents/items/map_names.h"
#include "app/parts/number_text.h"
#include "app/workspaces/analyse/common/caption_text.h"
#include "app/workspaces/analyse/common/part_text.h"
#include "app/workspaces/analyse/map/head_words.h"
#include "widgets/look/translate.h"
#include "widgets/matrix/matrix_view.h"

#include <algorithm>
#include <cmath>

namespace headroom::app {

namespace {

QString formula(MapSource source, const OpenModel& model) {
    if (source.isMixing())
        return mapTitle(source) + QStringLiteral(", ") + mapFormula(source);
    if (source.isContributions()) {
        const QString norm =
            model.info->architecture.encoder.norm == NormPlace::Pre ? tr("pre-LN") : tr("post-LN");
        return tr("Contributions C_ij = ‖T_ij‖₂, %1, rows summing to 1 (Alastruey et al. 2022, Eq. 5)")
            .arg(norm);
    }
    if (source.kind == MapSource::Kind::HeadMean)
        return tr("Attention weights A_ij as applied, mean over heads");
    return (source.raw ? tr("Attention weights A_ij of head %1 before relaxation")
                       : tr("Attention weights A_ij of head %1 as applied"))
        .arg(source.head);
}

/// What a CL that is read from the map is of.
QString hereText(const DrawnMap& map) {
    return !map.result->source.isEmpty() ? tr("in this text") : map.result->covered() ? tr("in this part of the recording") : tr("in this recording");
}

/// `heads`: of the model that the map is of; the band shows `drafted`, those of the draft. `here`: where CL is not that of the table.
QString windowText(const widgets::WindowBand& band, const std::vector<HeadGroup>& heads, const std::vector<HeadGroup>& drafted, const QString& here) {
    const int window = band.shownWindow();
    if (!band.kinds().isEmpty()) {
        const QString text = band.kinds() == otherKinds(heads) ? tr(" Heads: %1.").arg(band.kinds())
                                                               : tr(" The draft, not this map, has %1 here.").arg(band.kinds());
        if (window <= 0 || !band.isBandVisible())
            return text;
        const bool isWidest = std::ranges::any_of(drafted, [window](const HeadGroup& group) {
            return (group.kind == HeadKind::Local || group.kind == HeadKind::Masked) && group.window > 0 && group.window < window;
        });
        return text + (isWidest ? tr(" Lines: w = %1, the widest window of the %2 heads.") : tr(" Lines: w = %1, the window of the %2 heads."))
                          .arg(window)
                          .arg(kindsOfBand(drafted));
    }
    if (window <= 0 || !band.isBandVisible())
        return {};
    if (std::isnan(band.lossOf(window))) // a map before relaxation has no profile
        return tr(" Lines: window w = %1.").arg(window);
    const QString loss = decimals(band.lossOf(window), 3);
    return band.suggestedOver().isEmpty() ? tr(" Lines: window w = %1, CL %2.").arg(window).arg(loss)
                                          : tr(" Lines: window w = %1, CL %2 %3.").arg(window).arg(loss, here);
}

std::vector<HeadGroup> ownHeads(const OpenModel& model, int layer) {
    const auto& layers = model.info->architecture.encoder.layers;
    return layer >= 1 && layer <= static_cast<int>(layers.size())
               ? layers[static_cast<std::size_t>(layer) - 1].heads
               : std::vector<HeadGroup>();
}

/// The dashed lines. Full is suggested where the window of Algorithm 1 loses too much, which the tag then says. The window may be from
/// several utterances, and CL of each is another number.
QString suggestionText(const widgets::WindowBand& band, const QString& here) {
    if (!band.isBandVisible() || band.shownWindow() > 0 || band.foundWindow() <= 0)
        return {};
    const QString over = band.suggestedOver();
    if (const int window = band.suggestedWindow(); window > 0) {
        if (std::isnan(band.lossOf(window)))
            return tr(" Dashed lines: suggested window w = %1%2.").arg(window).arg(over.isEmpty() ? QString() : QLatin1Char(' ') + over);
        const QString loss = decimals(band.lossOf(window), 3);
        if (over.isEmpty())
            return tr(" Dashed lines: suggested window w = %1, CL %2.").arg(window).arg(loss);
        return band.measured().isEmpty()
                   ? tr(" Dashed lines: suggested window w = %1 with CL %2 %3; CL %4 %5.").arg(window).arg(decimals(band.foundLoss(), 3), over, loss, here)
                   : tr(" Dashed lines: suggested window w = %1 %2; CL of %3 %4 %5.").arg(window).arg(over, band.measured(), loss, here);
    }
    const auto said = band.tag().lines;
    const bool saysLoss = band.kinds().isEmpty() && said.size() > 1;
    return tr(" Dashed lines: the window of Algorithm 1; full is suggested%1.")
        .arg(saysLoss ? tr(" (%1)").arg((said.back().text + QLatin1Char(' ') + over).trimmed()) : QString());
}

/// What a map is, without the lines on it.
QString describedMap(const DrawnMap& map) {
    return (map.result->tokens.value() == 1 ? tr("%1; layer %2 of %3, N = %4 token%5.") : tr("%1; layer %2 of %3, N = %4 tokens%5."))
        .arg(formula(map.source, *map.model))
        .arg(map.layer)
        .arg(modelText(*map.model, map.result))
        .arg(map.result->tokens.value())
        .arg(partText(map.result->covered()));
}

/// `band`: whose lines are on the map; of a difference those of a suggestion are not.
QString mapText(const Session& session, const DrawnMap& map, const widgets::WindowBand& band, bool isDifference = false) {
    const std::vector<HeadGroup> drafted = session.drafts()->heads({map.model->id, 0}, map.layer);
    return describedMap(map) +
           windowText(band, headsOfMap(ownHeads(*map.model, map.layer), map.source), headsOfMap(drafted, map.source), hereText(map)) +
           (isDifference ? QString() : suggestionText(band, hereText(map)));
}

QString coloursText(const QString& which, const widgets::LayerMatrixView& view) {
    const QString range = view.showsDifference() ? tr("%1: ±%2") : tr("%1: 0 to %2");
    return range.arg(which, decimals(view.range().high, 3)) + gammaText(view.gamma()) +
           (view.hideDiagonal() ? tr(", main diagonal left out.") : QStringLiteral("."));
}

/// For the middle of a sentence.
QString nameOfMap(const DrawnMap& map) {
    return tr("layer %1 of %2, %3").arg(map.layer).arg(map.model->shownName(), mapNoun(map.source));
}

bool isKnown(const DrawnMap& map) {
    return map.model && map.model->info && map.result;
}

} // namespace

QString figureTitle(const Session& session, const DrawnMaps& maps) {
    const auto& [a, b, isBlinked] = maps;
    const OpenUtterance* utterance = session.utterances()->find(a.utterance);
    const DrawnMap& left = isBlinked && b ? *b : a;
    if (!utterance || !isKnown(left))
        return utterance ? utterance->shownName() : QString();
    const QString title = tr("%1: %2").arg(utterance->shownName(), nameOfMap(left));
    if (!b || !isKnown(*b))
        return title;
    const bool isDifference = b->view->showsDifference();
    if (isBlinked) // both are of one recording
        return isDifference && isKnown(a) ? tr("%1; and A − B, where A is %2").arg(title, nameOfMap(a)) : title;
    const OpenUtterance* other = session.utterances()->find(b->utterance);
    const QString of = other && other != utterance ? tr("%1, of %2").arg(nameOfMap(*b), other->shownName()) : nameOfMap(*b);
    return (isDifference ? tr("%1; and A − B, where B is %2") : tr("%1; and %2")).arg(title, of);
}

QString figureCaption(const Session& session, const DrawnMaps& maps) {
    const auto& [a, b, isBlinked] = maps;
    const OpenUtterance* utterance = session.utterances()->find(a.utterance);
    if (!utterance)
        return {};
    const bool knowsA = isKnown(a), knowsB = b && isKnown(*b);
    if (!knowsA && !knowsB)
        return recordingText(utterance);
    const auto ofOne = [&session](const QString& text, const DrawnMap& map) {
        return text.arg(mapText(session, map, *map.view->band())) + QLatin1Char(' ') + coloursText(tr("Colours"), *map.view) + QLatin1Char(' ');
    };
    if (!knowsB)
        return ofOne(QStringLiteral("%1"), a) + recordingText(utterance);
    const OpenUtterance* other = session.utterances()->find(b->utterance);
    if (!knowsA)
        return ofOne(tr("Right, B: %1"), *b) + recordingText(other ? other : utterance);
    const bool isDifference = b->view->showsDifference();
    // B that is blinked into A's place has its own lines there; A is only in the difference then.
    const widgets::WindowBand& bandOfB = *b->view->band();
    QStringList parts;
    if (!isBlinked)
        parts << tr("Left, A: %1").arg(mapText(session, a, *a.view->band()))
              << (isDifference ? tr("Right, A − B, where B is: %1") : tr("Right, B: %1")).arg(mapText(session, *b, bandOfB, isDifference));
    else if (isDifference)
        parts << tr("Left, B: %1").arg(mapText(session, *b, bandOfB)) << tr("Right, A − B, where A is: %1").arg(describedMap(a));
    else
        parts << tr("Left and right, B: %1").arg(mapText(session, *b, bandOfB));
    if (isDifference)
        parts << coloursText(isBlinked ? tr("Colours of B") : tr("Colours of A"), *a.view)
              << coloursText(tr("Colours of A − B"), *b->view);
    else
        parts << coloursText(tr("Colours of both"), *a.view);
    if (other && other != utterance)
        parts << recordingText(*utterance, QStringLiteral("A")) << recordingText(*other, QStringLiteral("B"));
    else
        parts << recordingText(utterance);
    return parts.join(QLatin1Char(' '));
}

} // namespace headroom::app
