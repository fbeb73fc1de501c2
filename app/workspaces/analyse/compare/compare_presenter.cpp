// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/compare/compare_presenter.h"

#include "app/documents/drafts.h"
#include "app/workspaces/analyse/compare/compared_map.h"
#include "app/workspaces/analyse/map/head_words.h"
#include "app/workspaces/analyse/map/layers_panel.h"
#include "app/workspaces/analyse/map/matrix_panel.h"
#include "app/workspaces/analyse/sound/time_column.h"
#include "core/analysis/receptive_field.h"
#include "widgets/matrix/layer_thumbnails.h"
#include "widgets/matrix/matrix_view.h"
#include "widgets/matrix/row_profile.h"

#include <QAction>
#include <QCoreApplication>
#include <QKeyEvent>

#include <algorithm>

namespace headroom::app {

using widgets::BandShape;

namespace {

/// Longer than this the key was held: letting go shows the first map again.
constexpr qint64 kHeldMilliseconds = 300;

QString nameOf(const MapSource& source) {
    if (source.kind == MapSource::Kind::Contributions)
        return ComparePresenter::tr("contributions");
    if (source.kind == MapSource::Kind::HeadMean)
        return ComparePresenter::tr("mean of heads");
    return source.raw ? ComparePresenter::tr("head %1 before relaxation").arg(source.head)
                      : ComparePresenter::tr("head %1").arg(source.head);
}

} // namespace

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
    connect(beside, &ComparedMap::mapChosen, m_comparison, &Comparison::compareMap);
    connect(beside, &ComparedMap::recordingChosen, m_comparison, &Comparison::compareUtterance);
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
        connect(from, &widgets::LayerMatrixView::visibleQueriesChanged, to, [from = from, to = to] {
            if (from->axis() == to->axis())
                to->setVisibleQueries(from->mapping().queries);
        });
    connect(m_views.difference, &QAction::toggled, this, &ComparePresenter::refresh);
    connect(m_views.blink, &QAction::toggled, this, &ComparePresenter::blinked);
}

ComparePresenter::Beside ComparePresenter::besideOf(const Comparison::Side& side) const {
    Beside b;
    b.side = side;
    b.utterance = side.utterance == UtteranceId::None ? m_session->currentUtteranceId() : side.utterance;
    b.source = side.source.value_or(m_session->mapSource());
    b.model = std::as_const(*m_session).models()->find(side.model);
    b.result = m_analysis->result(b.utterance, side.model);
    b.layer = b.result ? b.result->layer(side.layer) : nullptr;
    b.map = b.layer ? b.layer->sharedMap(b.source) : nullptr;
    b.clock = b.result ? b.result->clock : TokenClock();
    return b;
}

void ComparePresenter::refresh() {
    const auto side = m_comparison->side();
    m_views.matrix->setBesideVisible(side.has_value());
    m_views.layers->thumbnails()->setCompared(side && side->model == m_session->currentModelId() &&
                                                      side->layer != m_session->currentLayer()
                                                  ? side->layer - 1
                                                  : -1);
    m_analysis->alsoAnalyse(side ? AnalysisKey{side->utterance, side->model} : AnalysisKey{});
    if (!side) {
        m_shown.reset();
        m_subtractedFrom.reset();
        m_views.blink->setChecked(false);
        showDifferenceReason(nullptr);
        showInPlace(nullptr);
        shareRange(nullptr);
        m_views.column->setTwinUtterance(nullptr, nullptr);
        m_onAxis = UtteranceId::None;
        return;
    }
    const Beside b = besideOf(*side);
    if (!b.map && b.layer && b.layer->isReady() && b.source.needsAttention())
        m_analysis->requireAttention(b.utterance, side->model, side->layer);
    showRecording(b);
    showFields(b);
    showDifferenceReason(&b);
    showMap(b);
    showBand(b);
    shareRange(&b);
    showInPlace(&b);
}

/// Which recording is beside, on which axis.
void ComparePresenter::showRecording(const Beside& b) {
    const bool other = b.utterance != m_session->currentUtteranceId();
    const Utterance* heard = std::as_const(*m_session).utterances()->find(b.utterance);
    if (other && heard && (m_onAxis != b.utterance || m_axis.extent() != heard->duration())) {
        m_onAxis = b.utterance;
        m_axis.setExtent(heard->duration());
    }
    m_views.matrix->beside()->setAxis(other ? &m_axis : m_views.axis);
    m_views.column->setTwinUtterance(other ? heard : nullptr, &m_axis);
}

void ComparePresenter::showFields(const Beside& b) {
    ComparedMap* beside = m_views.matrix->beside();
    std::vector<ComparedMap::Choice> choices;
    const ModelList* models = std::as_const(*m_session).models();
    for (int row = 0; row < models->count(); ++row)
        choices.push_back({models->at(row).id, models->at(row).name});
    beside->setModels(choices, b.side.model);
    beside->setLayer(b.side.layer, b.model->layerCount(), m_comparison->fixedLayer() > 0);
    std::vector<ComparedMap::MapChoice> maps{{MapSource{}, tr("Contributions")}};
    if (b.model->info && b.side.layer <= b.model->layerCount()) {
        int heads = 0;
        for (const HeadGroup& group : appliedHeads(b.model->info->architecture.encoder, b.side.layer))
            heads += group.count;
        for (int head = 1; head <= heads; ++head)
            maps.push_back({{MapSource::Kind::Head, head}, tr("Head %1").arg(head)});
        maps.push_back({{MapSource::Kind::HeadMean}, tr("Mean of heads")});
    }
    beside->setMaps(maps, m_comparison->fixedSource());
    std::vector<ComparedMap::Recording> recordings;
    for (int row = 0; row < m_session->utterances()->count(); ++row)
        if (const Utterance& one = m_session->utterances()->at(row);
            one.id != m_session->currentUtteranceId() && one.recording)
            recordings.push_back({one.id, one.name});
    beside->setRecordings(recordings, b.side.utterance);
}

void ComparePresenter::showMap(const Beside& b) {
    ComparedMap* beside = m_views.matrix->beside();
    widgets::LayerMatrixView* view = beside->matrix();
    const AnalysisResult* current = m_analysis->current();
    const LayerResult* here = current ? current->layer(m_session->currentLayer()) : nullptr;
    const bool subtract = m_views.difference->isEnabled() && m_views.difference->isChecked() && here;
    const auto a = subtract ? here->sharedMap(m_session->mapSource()) : nullptr;
    const bool stale = b.layer && b.layer->stale;
    if (b.map != m_shown || a != m_subtractedFrom || stale != m_shownStale ||
        (b.map != nullptr) != view->hasMatrix()) {
        m_shown = b.map;
        m_subtractedFrom = a;
        m_shownStale = stale;
        if (a && b.map) {
            const MapDifference difference = differenceOf(*a, *b.map);
            view->setDifference(difference.map, difference.negated, b.clock);
            beside->rowProfile()->setSigned(true);
            beside->rowProfile()->setMatrix(difference.map, b.clock);
        } else {
            view->setMatrix(b.map, b.clock);
            beside->rowProfile()->setSigned(false);
            beside->rowProfile()->setMatrix(b.map, b.clock);
        }
        view->setStale(stale);
    }
    const Utterance* heard = std::as_const(*m_session).utterances()->find(b.utterance);
    view->setWords(heard && heard->alignment ? heard->alignment->words : std::vector<Interval>{});
    const QString name = tr("Layer %1 of %2, %3").arg(b.side.layer).arg(b.model->name, nameOf(b.source));
    view->setTitle(view->showsDifference() ? tr("A − B, where B is %1").arg(name) : name);
    if (view->showsDifference())
        view->setValueName(tr("A − B"), tr("A − B"));
    else
        view->setValueName(b.source.needsAttention() ? tr("attention") : tr("contribution"),
                           b.source.needsAttention() ? QStringLiteral("A") : QStringLiteral("C"));
    if (!b.map)
        view->setEmptySentence(emptySentence(b));
}

void ComparePresenter::showBand(const Beside& b) {
    ComparedMap* beside = m_views.matrix->beside();
    widgets::WindowBand* band = beside->matrix()->band();
    const DraftKey draft{b.side.model, 0};
    band->setKinds(otherKinds(m_session->drafts()->heads(draft, b.side.layer)));
    band->setProfile(b.layer ? b.layer->profileOf(b.source).value_or(DiagonalProfile()) : DiagonalProfile());
    if (!band->isDragging())
        band->setWindow(m_session->drafts()->window(draft, b.side.layer).value_or(0));
    beside->rowProfile()->setWindow(BandShape{BandShape::Kind::Centred, band->shownWindow()});
}

/// A − B is off, and says why, unless both maps are over the same tokens; B can stand in A's place wherever
/// both are of one recording.
void ComparePresenter::showDifferenceReason(const Beside* b) {
    QString why = tr("Nothing is compared: C shows a second map."), noBlink = why;
    if (b) {
        const AnalysisResult* current = m_analysis->current();
        const OpenModel* model = m_session->currentModel();
        const auto tokensOf = [](const OpenModel* of, UtteranceId utterance, const AnalysisResult* result,
                                 bool hasMap) {
            ComparedTokens tokens{of ? of->name : QString(), utterance, {}, 0, {}, hasMap, {}};
            if (of && of->info && !of->maps)
                tokens.frontEnd = frontEndWords(of->info->architecture.frontEnd);
            if (result && result->tokens.value() > 0) {
                tokens.part = result->part;
                tokens.tokens = result->tokens.value();
                tokens.clock = result->clock;
            }
            return tokens;
        };
        why = whyNoDifference(
            tokensOf(model, m_session->currentUtteranceId(), current, m_analysis->currentMap() != nullptr),
            tokensOf(b->model, b->utterance, b->result, b->map != nullptr));
        noBlink = b->utterance != m_session->currentUtteranceId() ? tr("Both maps must be of one recording.")
                  : !b->map                                       ? tr("The second map is not here.")
                                                                  : QString();
    }
    m_views.difference->setEnabled(why.isEmpty());
    m_views.difference->setToolTip(
        why.isEmpty() ? tr("The difference A − B of the two maps in place of B, about 0. Shift+C") : why);
    if (!noBlink.isEmpty())
        m_views.blink->setChecked(false);
    m_views.blink->setEnabled(noBlink.isEmpty());
    m_views.blink->setToolTip(
        noBlink.isEmpty() ? tr("B in place of A, by hand: once, or while the key is held. B") : noBlink);
}

void ComparePresenter::blinked(bool on) {
    stopListening();
    if (on) {
        m_sinceBlink.start();
        QCoreApplication::instance()->installEventFilter(this); // only until the key is let go
    }
    refresh();
}

void ComparePresenter::stopListening() {
    QCoreApplication::instance()->removeEventFilter(this);
}

bool ComparePresenter::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::KeyRelease) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_B && !key->isAutoRepeat()) {
            stopListening();
            if (m_sinceBlink.elapsed() > kHeldMilliseconds)
                m_views.blink->setChecked(false);
        }
    }
    return QObject::eventFilter(watched, event);
}

void ComparePresenter::showInPlace(const Beside* b) {
    const bool on = b && b->map && m_views.blink->isEnabled() && m_views.blink->isChecked();
    widgets::LayerMatrixView* view = m_views.matrix->matrix();
    if (!on && !view->showsOther())
        return;
    view->setInPlace(on ? b->map : nullptr, on ? b->clock : TokenClock());
    m_views.matrix->rowProfile()->setMatrix(on ? b->map : view->ownMap(), on ? b->clock : view->ownClock());
    m_views.matrix->setInPlaceName(
        on ? tr("%1, layer %2, %3").arg(b->model->name).arg(b->side.layer).arg(nameOf(b->source))
           : QString());
}

QString ComparePresenter::emptySentence(const Beside& b) const {
    const OpenModel* model = b.model;
    if (model->state == OpenState::Failed)
        return tr("%1 could not be opened; the reason stands in Models.").arg(model->name);
    if (model->info && b.side.layer > model->layerCount())
        return tr("%1 has %2 layers only.").arg(model->name).arg(model->layerCount());
    if (!model->enabled && b.side.model != m_session->currentModelId())
        return tr("%1 is not ticked in Models.").arg(model->name);
    if (b.result && b.result->state == AnalysisResult::State::Failed)
        return b.result->sentence;
    if (b.result && b.result->state == AnalysisResult::State::Cancelled)
        return tr("Cancelled before this layer was read.");
    if (b.layer && !b.source.needsAttention() && !b.layer->reason.isEmpty())
        return b.layer->reason;
    if (b.layer && b.layer->attention)
        return tr("This layer has no %1.").arg(nameOf(b.source));
    if (b.result && b.result->state == AnalysisResult::State::Ready)
        return tr("Fetching the attention of this layer.");
    return tr("%1 reads this utterance.").arg(model->name);
}

/// One scale for both: the same colour is the same value. A difference has its own.
void ComparePresenter::shareRange(const Beside* b) {
    widgets::LayerMatrixView *main = m_views.matrix->matrix(), *other = m_views.matrix->beside()->matrix();
    std::optional<widgets::ValueRange> range;
    if (b && b->map && main->hasMatrix()) {
        if (m_rangeOf != b->map) {
            m_rangeOf = b->map;
            m_range = widgets::offDiagonalRange(b->map->level(0).view());
        }
        range = widgets::ValueRange{std::min(main->ownRange().low, m_range.low),
                                    std::max(main->ownRange().high, m_range.high)};
    } else {
        m_rangeOf.reset();
    }
    main->setRange(range);
    other->setRange(other->showsDifference() ? std::nullopt : range);
}

void ComparePresenter::edit(int window) {
    const auto side = m_comparison->side();
    if (!side)
        return;
    try {
        m_session->drafts()->setWindow(
            {side->model, 0}, {side->layer, window > 0 ? std::optional<int>(window) : std::nullopt});
    } catch (const Error& error) {
        m_session->messages()->post(Severity::Warning, QString::fromUtf8(error.what()));
    }
}

} // namespace headroom::app
