// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/compare_presenter.h"

#include "app/workspaces/analyse/compared_map.h"
#include "app/workspaces/analyse/head_words.h"
#include "app/workspaces/analyse/layers_panel.h"
#include "app/workspaces/analyse/matrix_panel.h"
#include "widgets/matrix/layer_thumbnails.h"
#include "widgets/matrix/matrix_view.h"
#include "widgets/matrix/row_profile.h"

#include <algorithm>

namespace headroom::app {

using widgets::BandShape;

ComparePresenter::ComparePresenter(Session* session, AnalysisService* analysis, Comparison* comparison,
                                   const Views& views, QObject* parent)
    : QObject(parent)
    , m_session(session)
    , m_analysis(analysis)
    , m_comparison(comparison)
    , m_views(views) {
    connectViews();
}

void ComparePresenter::connectViews() {
    ComparedMap* beside = m_views.matrix->beside();
    connect(beside, &ComparedMap::modelChosen, m_comparison,
            [this](ModelId model) { m_comparison->compareLayer(model, m_comparison->fixedLayer()); });
    connect(beside, &ComparedMap::layerChosen, m_comparison, [this](int layer) {
        if (const auto side = m_comparison->side())
            m_comparison->compareLayer(side->model, layer);
    });
    widgets::LayerThumbnails* small = m_views.layers->thumbnails();
    connect(small, &widgets::LayerThumbnails::layerCompared, m_comparison, [this](int layer) {
        layer < 0 ? m_comparison->setOn(false)
                  : m_comparison->compareLayer(m_session->currentModelId(), layer + 1);
    });
    widgets::WindowBand* band = beside->matrix()->band();
    connect(band, &widgets::WindowBand::windowDragged, this, [this, beside](int window) {
        const BandShape shape{BandShape::Kind::Centred, window};
        beside->rowProfile()->setWindow(shape);
        if (const auto side = m_comparison->side(); side && side->model == m_session->currentModelId())
            m_views.layers->showDragged(side->layer, shape);
    });
    connect(band, &widgets::WindowBand::windowEdited, this, [this](int, int now) { edit(now); });
    // Where the axes are not linked both maps still show the same queries.
    widgets::LayerMatrixView *main = m_views.matrix->matrix(), *other = beside->matrix();
    for (const auto& [from, to] : {std::pair(main, other), std::pair(other, main)})
        connect(from, &widgets::LayerMatrixView::visibleQueriesChanged, to,
                [from = from, to = to] { to->setVisibleQueries(from->mapping().queries); });
}

void ComparePresenter::refresh() {
    const auto side = m_comparison->side();
    m_views.matrix->setBesideVisible(side.has_value());
    m_views.layers->thumbnails()->setCompared(
        side && side->model == m_session->currentModelId() ? side->layer - 1 : -1);
    if (side)
        showSide(*side);
    else
        m_shown.reset();
    shareRange();
}

void ComparePresenter::showSide(const Comparison::Side& side) {
    ComparedMap* beside = m_views.matrix->beside();
    std::vector<ComparedMap::Choice> choices;
    const ModelList* models = std::as_const(*m_session).models();
    for (int row = 0; row < models->count(); ++row)
        choices.push_back({models->at(row).id, models->at(row).name});
    beside->setModels(choices, side.model);
    const OpenModel* model = models->find(side.model);
    beside->setLayer(side.layer, model->layerCount(), m_comparison->fixedLayer() > 0);

    const MapSource source = m_session->mapSource();
    const UtteranceId utterance = m_session->currentUtteranceId();
    const AnalysisResult* result = m_analysis->result(utterance, side.model);
    const LayerResult* layer = result ? result->layer(side.layer) : nullptr;
    const auto map = layer ? layer->sharedMap(source) : nullptr;
    if (!map && layer && layer->isReady() && source.needsAttention())
        m_analysis->requireAttention(utterance, side.model, side.layer);
    const TokenClock clock = result ? result->clock : TokenClock();
    const bool stale = layer && layer->stale;
    widgets::LayerMatrixView* view = beside->matrix();
    if (map != m_shown || stale != m_shownStale || (map != nullptr) != view->hasMatrix()) {
        m_shown = map;
        m_shownStale = stale;
        view->setMatrix(map, clock);
        view->setStale(stale);
        beside->rowProfile()->setMatrix(map, clock);
    }
    const Utterance* heard = m_session->currentUtterance();
    view->setWords(heard && heard->alignment ? heard->alignment->words : std::vector<Interval>{});
    view->setTitle(tr("Layer %1 of %2").arg(side.layer).arg(model->name));
    view->setValueName(source.needsAttention() ? tr("attention") : tr("contribution"),
                       source.needsAttention() ? QStringLiteral("A") : QStringLiteral("C"));
    if (!map)
        view->setEmptySentence(emptySentence(side, result));
    widgets::WindowBand* band = view->band();
    band->setKinds(side.layer >= 1 && side.layer <= model->layerCount()
                       ? otherKinds(model->draft.encoder.layers[std::size_t(side.layer - 1)].heads)
                       : QString());
    band->setProfile(layer ? layer->profileOf(source).value_or(DiagonalProfile()) : DiagonalProfile());
    if (!band->isDragging())
        band->setWindow(model->draftWindow(side.layer).value_or(0));
    beside->rowProfile()->setWindow(BandShape{BandShape::Kind::Centred, band->shownWindow()});
}

QString ComparePresenter::emptySentence(const Comparison::Side& side, const AnalysisResult* result) const {
    const OpenModel* model = std::as_const(*m_session).models()->find(side.model);
    if (model->state == OpenState::Failed)
        return tr("%1 could not be opened; the reason stands in Models.").arg(model->name);
    if (model->info && side.layer > model->layerCount())
        return tr("%1 has %2 layers only.").arg(model->name).arg(model->layerCount());
    if (!model->enabled && side.model != m_session->currentModelId())
        return tr("%1 is not ticked in Models.").arg(model->name);
    if (result && result->state == AnalysisResult::State::Failed)
        return result->sentence;
    if (result && result->state == AnalysisResult::State::Cancelled)
        return tr("Cancelled before this layer was read.");
    if (result && result->state == AnalysisResult::State::Ready)
        return tr("Fetching the attention of this layer.");
    return tr("%1 reads this utterance.").arg(model->name);
}

/// One scale for both: the same colour is the same value.
void ComparePresenter::shareRange() {
    widgets::LayerMatrixView *main = m_views.matrix->matrix(), *other = m_views.matrix->beside()->matrix();
    std::optional<widgets::ValueRange> range;
    if (m_shown && main->hasMatrix())
        range = widgets::ValueRange{std::min(main->ownRange().low, other->ownRange().low),
                                    std::max(main->ownRange().high, other->ownRange().high)};
    for (widgets::LayerMatrixView* view : {main, other})
        view->setRange(range);
}

void ComparePresenter::edit(int window) {
    const auto side = m_comparison->side();
    if (!side)
        return;
    try {
        m_session->setWindow(side->model, side->layer,
                             window > 0 ? std::optional<int>(window) : std::nullopt);
    } catch (const Error& error) {
        m_session->messages()->post(Severity::Warning, QString::fromUtf8(error.what()));
    }
}

} // namespace headroom::app
