// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/compare/map_beside.h"

#include "app/documents/items/map_names.h"
#include "app/documents/items/why_no_map.h"
#include "app/workspaces/analyse/common/model_frames.h"
#include "app/workspaces/analyse/map/head_words.h"
#include "core/analysis/receptive_field.h"
#include "widgets/look/translate.h"

namespace headroom::app {

MapBeside mapBeside(const Comparison::Side& side, const Session& session, const AnalysisService& analysis) {
    MapBeside b;
    b.side = side;
    b.utterance = side.utterance == UtteranceId::None ? session.currentUtteranceId() : side.utterance;
    b.source = side.source.value_or(session.mapSource());
    b.model = session.models()->find(side.model);
    b.result = analysis.result(b.utterance, side.model);
    b.layer = b.result ? b.result->layer(side.layer) : nullptr;
    b.map = b.layer ? b.layer->sharedMap(b.source) : nullptr;
    b.clock = b.result ? b.result->clock : TokenClock();
    return b;
}

bool hasOtherTokens(const MapBeside& b, const AnalysisResult* current) {
    return current && b.result && !current->sourcePieces.isEmpty() && !b.result->sourcePieces.isEmpty() &&
           current->sourcePieces != b.result->sourcePieces;
}

ComparedTokens comparedTokens(const OpenModel* model, UtteranceId utterance, const AnalysisResult* result, bool hasMap) {
    ComparedTokens tokens{model ? model->shownName() : QString(), utterance, {}, 0, {}, hasMap, {}};
    if (const auto* frontEnd = frontEndOf(model))
        tokens.frontEnd = frontEndWords(*frontEnd);
    if (result && result->tokens.value() > 0) {
        tokens.part = result->covered();
        tokens.tokens = result->tokens.value();
        tokens.clock = result->clock;
        if (!result->source.isEmpty())
            tokens.pieces = result->sourcePieces;
    }
    return tokens;
}

std::vector<ComparedMap::Choice<MapSource>> offeredMaps(const MapBeside& b) {
    std::vector<ComparedMap::Choice<MapSource>> maps{{MapSource{}, tr("Contributions")}};
    if (b.model->info && b.side.layer <= b.model->layerCount()) {
        int heads = 0;
        for (const HeadGroup& group : appliedHeads(b.model->info->architecture.encoder, b.side.layer))
            heads += group.count;
        for (int head = 1; head <= heads; ++head)
            maps.push_back({{MapSource::Kind::Head, head}, tr("Head %1").arg(head)});
        maps.push_back({{MapSource::Kind::HeadMean}, tr("Mean of heads")});
        if (!b.model->maps)
            for (const MixingChoice& measure : offeredMixing())
                maps.push_back({MapSource::of(measure), mapTitle(MapSource::of(measure))});
    }
    if (b.layer)
        for (auto& one : maps)
            one.whyNot = whyNotImported(*b.layer, one.id);
    return maps;
}

std::vector<ComparedMap::Choice<UtteranceId>> offeredUtterances(const MapBeside& b, const Session& session) {
    std::vector<ComparedMap::Choice<UtteranceId>> offered;
    for (int row = 0; row < session.utterances()->count(); ++row)
        if (const OpenUtterance& one = session.utterances()->at(row);
            one.id != session.currentUtteranceId() &&
            (b.model->readsText() ? one.isText && one.hasSource() : one.recording != nullptr))
            offered.push_back({one.id, one.shownName()});
    return offered;
}

QString missingMapSentence(const MapBeside& b, const Session& session) {
    const OpenModel* model = b.model;
    if (model->state == OpenState::Failed)
        return tr("%1 could not be opened. See Models for the reason.").arg(model->shownName());
    if (model->info && b.side.layer > model->layerCount())
        return model->layerCount() == 1 ? tr("%1 has only 1 layer.").arg(model->shownName())
                                        : tr("%1 has only %2 layers.").arg(model->shownName()).arg(model->layerCount());
    const OpenUtterance* utterance = session.utterances()->find(b.utterance);
    if (!utterance)
        return {};
    if (const QString why = whyNoMap(*model, *utterance); !why.isEmpty())
        return why;
    if (b.result && b.result->state == AnalysisResult::State::Failed)
        return b.result->sentence;
    const bool cancelled = b.result && b.result->state == AnalysisResult::State::Cancelled;
    if (b.layer && b.layer->isReady() && (cancelled || b.result->state == AnalysisResult::State::Ready))
        return missingMapText(*b.layer, b.source);
    if (cancelled)
        return tr("Cancelled before this layer finished.");
    // Whatever is ticked, the current model is analysed, and so is another utterance that is beside.
    const bool isAnalysed = model->enabled || model->id == session.currentModelId() || b.utterance != session.currentUtteranceId();
    return isAnalysed ? tr("%1 is analysing…").arg(model->shownName()) : tr("%1 is not ticked in Models.").arg(model->shownName());
}

} // namespace headroom::app
