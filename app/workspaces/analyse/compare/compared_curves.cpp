// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/items/map_names.h"
#include "app/workspaces/analyse/common/part_text.h"
#include "app/workspaces/analyse/compare/compared_curves.h"
#include "app/workspaces/analyse/map/map_presenter.h"
#include "widgets/look/translate.h"

#include <QStringList>

#include <algorithm>
#include <set>

namespace headroom::app {

namespace {

constexpr int kStyles = kModelStyles;

QString measureText(bool isAttention) {
    return isAttention ? tr("attention") : tr("contributions");
}

/// What the profile and CCD of a layer are of, whichever map is seen; empty until it was read.
QString curveMeasure(const LayerResult* layer) {
    return !layer || !layer->isReady() ? QString() : measureText(MapPresenter::isAttentionOnly(layer));
}

QString partName(const std::optional<Part>& part) {
    return part ? partText(part).trimmed() : tr("whole recording");
}

/// What tells a curve from the current one: "st-small, layer 3, head 2, talk". `several`: models are compared, so each is named.
/// `parts`: of the recording several parts are drawn, so each is named.
QString nameOf(const Session& session, const CurveOf& curve, const CurveOf& current, bool several, bool parts) {
    QStringList name;
    if (const OpenModel* model = session.models()->find(curve.model); model && (several || curve.model != current.model))
        name << model->shownName();
    if (curve.layer != current.layer || curve.source != current.source)
        name << tr("layer %1").arg(curve.layer);
    if (curve.source.kind == MapSource::Kind::Head)
        name << tr("head %1").arg(curve.source.head);
    if (curve.source.kind == MapSource::Kind::HeadMean || curve.source.isMixing())
        name << mapNoun(curve.source);
    if (const OpenUtterance* heard = session.utterances()->find(curve.utterance)) {
        if (heard->isText && curve.text != heard->text) // edited since then
            name << quotedText(curve.text);
        else if (curve.utterance != current.utterance)
            name << heard->shownName();
        if (parts)
            name << partName(curve.part);
    }
    return name.join(QStringLiteral(", "));
}

} // namespace

QString drawnMeasures(const AnalysisResult& read) {
    QStringList measures;
    for (const LayerResult& layer : read.layers)
        if (const QString measure = curveMeasure(&layer); !measure.isEmpty() && !measures.contains(measure))
            measures << measure;
    return measures.join(tr(" and "));
}

namespace {

/// A curve beside the current one, before it has its name and style.
struct Beside {
    KeptCurve curve;
    bool isKept = false;
};

/// Names what each curve is of where that differs between the curves, or the models that are drawn.
void nameMeasures(ComparedCurves& curves, const std::vector<Beside>& beside, const KeptCurve& own, const Session& session,
                  const AnalysisService& analysis) {
    const auto measureOf = [](const KeptCurve& curve) {
        return curve.of.source.isContributions() && !curve.profile.empty() ? measureText(curve.isAttention) : QString();
    };
    std::set<QString> measures;
    for (int row = 0; row < session.models()->count(); ++row)
        if (const OpenModel& drawn = session.models()->at(row); drawn.enabled || drawn.id == own.of.model)
            if (const AnalysisResult* read = analysis.result(own.of.utterance, drawn.id))
                measures.insert(drawnMeasures(*read));
    for (const Beside& one : beside)
        measures.insert(measureOf(one.curve));
    measures.erase(QString());
    curves.severalMeasures = measures.size() > 1;
    const auto name = [&](widgets::DiagonalityPlot::Compared& curve, const KeptCurve& of) {
        if (const QString measure = measureOf(of); curves.severalMeasures && !measure.isEmpty())
            curve.name += QStringLiteral(", ") + measure;
    };
    name(curves.own, own);
    for (std::size_t i = 0; i < beside.size(); ++i)
        name(curves.curves[i], beside[i].curve);
}

/// Whether the names of the curves of an utterance say which part of it they are of: two differ, or one that is not there by itself is
/// of a selection.
bool namesParts(UtteranceId utterance, const std::vector<Beside>& beside, const CurveOf& current) {
    return std::ranges::any_of(beside, [&](const Beside& one) {
        const CurveOf& of = one.curve.of;
        const bool isHere = utterance == current.utterance;
        return of.utterance == utterance && (isHere ? of.part != current.part || (one.isKept && of.part) : of.part.has_value());
    });
}

} // namespace

ComparedCurves comparedCurves(const Session& session, const AnalysisService& analysis,
                              const std::optional<Comparison::Side>& side, const std::vector<KeptCurve>& kept) {
    ComparedCurves result;
    const OpenModel* model = session.currentModel();
    if (!model)
        return result;
    const auto now = [&](ModelId of, int layer, const MapSource& source, UtteranceId utterance) {
        return curveNow(session, analysis, curveOf(session, analysis, of, layer, source, utterance));
    };
    const KeptCurve own = now(model->id, session.currentLayer(), {}, session.currentUtteranceId());
    const CurveOf& current = own.of;
    std::vector<Beside> beside;
    const auto add = [&](KeptCurve curve, bool isKept) {
        if (curve.profile.empty() || curve.of == current || !session.models()->find(curve.of.model) ||
            !session.utterances()->find(curve.of.utterance) ||
            std::ranges::any_of(beside, [&](const Beside& one) { return one.curve.of == curve.of; }))
            return;
        beside.push_back({std::move(curve), isKept});
    };
    bool several = side && side->model != model->id;
    for (int row = 0; row < session.models()->count(); ++row)
        if (const OpenModel& other = session.models()->at(row); other.enabled) {
            several = several || other.id != model->id;
            add(now(other.id, current.layer, current.source, current.utterance), false);
        }
    if (side)
        add(now(side->model, side->layer, side->source.value_or(MapSource{}),
                side->utterance == UtteranceId::None ? current.utterance : side->utterance),
            false);
    for (const KeptCurve& curve : kept)
        add(curve.profile.empty() ? curveNow(session, analysis, curve.of) : curve, true);
    // A model's colour is that of its curve at this layer; everything else takes one that is free.
    std::set<int> taken;
    for (int row = 0; row < session.models()->count(); ++row)
        taken.insert(session.models()->at(row).colour);
    int last = model->colour;
    const auto freeStyle = [&] {
        for (int step = 1; step <= kStyles; ++step)
            if (const int style = (last + step) % kStyles;
                taken.size() >= kStyles || !taken.contains(style)) {
                taken.insert(style);
                return last = style;
            }
        return last = (last + 1) % kStyles;
    };
    for (const Beside& one : beside) {
        const CurveOf& of = one.curve.of;
        const bool isOfModel = of.model != current.model && of.layer == current.layer && of.source == current.source &&
                               of.utterance == current.utterance && (!one.isKept || of.part == current.part);
        result.curves.push_back(
            {nameOf(session, of, current, several, namesParts(of.utterance, beside, current)),
             isOfModel ? session.models()->find(of.model)->colour : freeStyle(), one.curve.profile, one.curve.millisecondsPerToken});
        result.of.push_back(of);
    }
    const bool ownParts = namesParts(current.utterance, beside, current);
    const bool ownLayers = std::ranges::any_of(
        result.of, [&](const CurveOf& of) { return of.model == current.model && of.layer != current.layer; });
    result.own = {model->shownName(), model->colour, {}};
    if (ownLayers || ownParts) {
        CurveOf named = current;
        named.layer = ownLayers ? 0 : current.layer;
        result.own.name = nameOf(session, current, named, several, ownParts);
    }
    nameMeasures(result, beside, own, session, analysis);
    return result;
}

} // namespace headroom::app
