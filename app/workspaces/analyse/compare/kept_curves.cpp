// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/compare/kept_curves.h"

#include "app/parts/view_values.h"
#include "app/workspaces/analyse/map/map_presenter.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace headroom::app {

using nlohmann::json;

namespace {

/// Imported maps say themselves what they are of.
std::optional<Part> analysedPart(const OpenUtterance& utterance, const OpenModel& model, const AnalysisResult* result) {
    if (!model.maps)
        return utterance.part;
    return result ? result->covered() : std::nullopt;
}

std::optional<Part> partIn(const json& value) {
    const auto part = pairIn(value, "part");
    return part ? std::optional(Part{Seconds(part->first), Seconds(part->second)}) : std::nullopt;
}

DiagonalProfile profileIn(const json& value) {
    const json* sums = valueIn(value, "profile");
    if (!sums || !sums->is_array() || sums->size() % 2 == 0 ||
        !std::ranges::all_of(*sums, [](const json& sum) { return sum.is_number(); }))
        return {};
    return DiagonalProfile(sums->get<std::vector<double>>());
}

} // namespace

CurveOf curveOf(const Session& session, const AnalysisService& analysis, ModelId model, int layer, const MapSource& source,
                UtteranceId utterance) {
    CurveOf of{model, layer, source, utterance};
    const OpenUtterance* heard = session.utterances()->find(utterance);
    const OpenModel* reads = session.models()->find(model);
    if (heard && reads)
        of.part = analysedPart(*heard, *reads, analysis.result(utterance, model));
    if (heard && heard->isText)
        of.text = heard->text;
    return of;
}

double millisecondsPerToken(const OpenModel& model, const AnalysisResult* result) {
    return result && !model.readsText() ? result->clock.cellStep().value() * 1000 : 0;
}

KeptCurve curveNow(const Session& session, const AnalysisService& analysis, const CurveOf& of) {
    KeptCurve curve{of, {}};
    const AnalysisResult* read = analysis.result(of.utterance, of.model);
    const LayerResult* layer = read ? read->layer(of.layer) : nullptr;
    const OpenModel* model = session.models()->find(of.model);
    if (!layer || !model || read->covered() != of.part || read->source != of.text)
        return curve;
    // Of maps from elsewhere without contributions, the profile is that of the mean of their heads.
    curve.profile = of.source.isContributions() ? layer->profile : layer->profileOf(of.source).value_or(DiagonalProfile());
    curve.millisecondsPerToken = millisecondsPerToken(*model, read);
    curve.isAttention = of.source.isContributions() && MapPresenter::isAttentionOnly(layer);
    return curve;
}

json keptView(const std::vector<KeptCurve>& kept, const Session& session) {
    json view = json::array();
    for (const KeptCurve& curve : kept) {
        const int model = session.models()->rowOf(curve.of.model), utterance = session.utterances()->rowOf(curve.of.utterance);
        if (model < 0 || utterance < 0)
            continue;
        json value{{"model", model}, {"utterance", utterance}, {"layer", curve.of.layer}, {"source", sourceText(curve.of.source)}};
        if (curve.of.part)
            value["part"] = {curve.of.part->start.value(), curve.of.part->end.value()};
        if (!curve.of.text.isEmpty())
            value["text"] = curve.of.text.toStdString();
        if (!curve.profile.empty()) {
            value["profile"] = curve.profile.sums();
            value["millisecondsPerToken"] = curve.millisecondsPerToken;
            if (curve.isAttention)
                value["attention"] = true;
        }
        view.push_back(std::move(value));
    }
    return view;
}

std::vector<KeptCurve> keptIn(const json& view, const Session& session) {
    std::vector<KeptCurve> kept;
    if (!view.is_array())
        return kept;
    for (const json& value : view) {
        const int model = wholeIn(value, "model", -1), utterance = wholeIn(value, "utterance", -1);
        const int layer = wholeIn(value, "layer", 0);
        const auto source = mapSourceOf(stringIn(value, "source").value_or(""));
        if (model < 0 || model >= session.models()->count() || utterance < 0 || utterance >= session.utterances()->count() ||
            layer < 1 || !source)
            continue;
        KeptCurve curve{{session.models()->at(model).id, layer, *source, session.utterances()->at(utterance).id, partIn(value),
                         QString::fromStdString(stringIn(value, "text").value_or(""))},
                        profileIn(value)};
        curve.millisecondsPerToken = std::max(0.0, numberIn(value, "millisecondsPerToken", 0));
        curve.isAttention = truthIn(value, "attention", false);
        kept.push_back(std::move(curve));
    }
    return kept;
}

} // namespace headroom::app
