// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/compare/compared_curves.h"
#include "app/parts/map_names.h"
#include "app/workspaces/analyse/map/map_presenter.h"
#include "widgets/look/translate.h"

#include <QStringList>

#include <algorithm>
#include <set>

namespace headroom::app {

namespace {

constexpr int kStyles = kModelStyles;

DiagonalProfile profileOf(const AnalysisService& analysis, const CurveOf& curve) {
    const AnalysisResult* read = analysis.result(curve.utterance, curve.model);
    const LayerResult* layer = read ? read->layer(curve.layer) : nullptr;
    if (!layer)
        return {};
    // Of maps from elsewhere without contributions, the profile is that of the mean of their heads.
    return !curve.source.isContributions() ? layer->profileOf(curve.source).value_or(DiagonalProfile())
                                         : layer->profile;
}

/// What the profile and CCD of a layer are of, whichever map is seen; empty until it was read.
QString curveMeasure(const LayerResult* layer) {
    return !layer || !layer->isReady()            ? QString()
           : MapPresenter::isAttentionOnly(layer) ? tr("attention")
                                                  : tr("contributions");
}

/// What tells a curve from the current one: "st-small, layer 3, head 2, talk". `several`: models are compared, so each is named.
QString nameOf(const Session& session, const CurveOf& curve, const CurveOf& current, bool several) {
    QStringList parts;
    if (const OpenModel* model = session.models()->find(curve.model); model && (several || curve.model != current.model))
        parts << model->name;
    if (curve.layer != current.layer || curve.source != current.source)
        parts << tr("layer %1").arg(curve.layer);
    if (curve.source.kind == MapSource::Kind::Head)
        parts << tr("head %1").arg(curve.source.head);
    if (curve.source.kind == MapSource::Kind::HeadMean || curve.source.isMixing())
        parts << mapNoun(curve.source);
    if (const OpenUtterance* heard = session.utterances()->find(curve.utterance);
        heard && curve.utterance != current.utterance)
        parts << heard->name;
    return parts.join(QStringLiteral(", "));
}

} // namespace

double millisecondsPerToken(const OpenModel& model, const AnalysisResult* result) {
    return result && !model.readsText() ? result->clock.cellStep().value() * 1000 : 0;
}

QString drawnMeasures(const AnalysisResult& read) {
    QStringList measures;
    for (const LayerResult& layer : read.layers)
        if (const QString measure = curveMeasure(&layer); !measure.isEmpty() && !measures.contains(measure))
            measures << measure;
    return measures.join(tr(" and "));
}

namespace {

/// Names what each curve is of where that differs between the curves, or the models that are drawn.
void nameMeasures(ComparedCurves& curves, const Session& session, const AnalysisService& analysis,
                  const CurveOf& current) {
    const auto measureOfCurve = [&](const CurveOf& curve) {
        const AnalysisResult* read = analysis.result(curve.utterance, curve.model);
        return curve.source.isContributions() && read ? curveMeasure(read->layer(curve.layer)) : QString();
    };
    std::set<QString> measures;
    for (int row = 0; row < session.models()->count(); ++row)
        if (const OpenModel& drawn = session.models()->at(row); drawn.enabled || drawn.id == current.model)
            if (const AnalysisResult* read = analysis.result(current.utterance, drawn.id))
                measures.insert(drawnMeasures(*read));
    for (const CurveOf& curve : curves.of)
        measures.insert(measureOfCurve(curve));
    measures.erase(QString());
    curves.severalMeasures = measures.size() > 1;
    const auto name = [&](widgets::DiagonalityPlot::Compared& curve, const CurveOf& of) {
        if (const QString measure = measureOfCurve(of); curves.severalMeasures && !measure.isEmpty())
            curve.name += QStringLiteral(", ") + measure;
    };
    name(curves.own, current);
    for (std::size_t i = 0; i < curves.of.size(); ++i)
        name(curves.curves[i], curves.of[i]);
}

} // namespace

ComparedCurves comparedCurves(const Session& session, const AnalysisService& analysis,
                              const std::optional<Comparison::Side>& side, const std::vector<CurveOf>& kept) {
    ComparedCurves result;
    const OpenModel* model = session.currentModel();
    if (!model)
        return result;
    const CurveOf current{model->id, session.currentLayer(), {}, session.currentUtteranceId()};
    result.own = {model->name, model->colour, {}};
    bool several = side && side->model != model->id;
    for (int row = 0; row < session.models()->count(); ++row)
        several = several || (session.models()->at(row).enabled && session.models()->at(row).id != model->id);
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
    const auto add = [&](const CurveOf& curve) {
        if (curve == current || std::find(result.of.begin(), result.of.end(), curve) != result.of.end())
            return;
        DiagonalProfile profile = profileOf(analysis, curve);
        const OpenModel* of = session.models()->find(curve.model);
        if (profile.empty() || !of)
            return;
        const bool isOfModel = curve.model != current.model && curve.layer == current.layer &&
                               curve.source == current.source && curve.utterance == current.utterance;
        result.curves.push_back(
            {nameOf(session, curve, current, several), isOfModel ? of->colour : freeStyle(), std::move(profile),
             millisecondsPerToken(*of, analysis.result(curve.utterance, curve.model))});
        result.of.push_back(curve);
    };
    for (int row = 0; row < session.models()->count(); ++row)
        if (const OpenModel& other = session.models()->at(row); other.enabled)
            add({other.id, current.layer, current.source, current.utterance});
    if (side)
        add({side->model, side->layer, side->source.value_or(MapSource{}),
             side->utterance == UtteranceId::None ? current.utterance : side->utterance});
    for (const CurveOf& curve : kept)
        add(curve);
    const bool ownLayers = std::any_of(result.of.begin(), result.of.end(), [&](const CurveOf& curve) {
        return curve.model == current.model && curve.layer != current.layer;
    });
    if (ownLayers)
        result.own.name = nameOf(session, current, {model->id, 0, {}, current.utterance}, several);
    nameMeasures(result, session, analysis, current);
    return result;
}

} // namespace headroom::app
