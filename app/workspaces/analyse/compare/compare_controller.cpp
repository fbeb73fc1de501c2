// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/compare/compare_controller.h"

#include "app/documents/drafts/drafts.h"
#include "app/documents/items/map_names.h"
#include "app/parts/actions.h"
#include "app/parts/availability.h"
#include "app/parts/view_values.h"
#include "app/workspaces/analyse/common/part_text.h"
#include "app/workspaces/analyse/compare/compared_map.h"
#include "app/workspaces/analyse/compare/map_beside.h"
#include "app/workspaces/analyse/map/band_heads.h"
#include "app/workspaces/analyse/map/head_words.h"
#include "app/workspaces/analyse/map/map_controller.h"
#include "app/workspaces/analyse/map/second_map.h"
#include "app/workspaces/analyse/sound/sound_controller.h"
#include "widgets/matrix/matrix_view.h"
#include "widgets/matrix/row_profile.h"

#include <QAction>
#include <QCoreApplication>
#include <QKeyEvent>

#include <algorithm>

namespace headroom::app {

namespace {

/// Longer than this the key was held: letting go shows the first map again.
constexpr qint64 kHeldMilliseconds = 300;

} // namespace

CompareController::CompareController(const Parts& parts, QObject* parent)
    : Controller(parent)
    , m_parts(parts)
    , m_comparison(parts.session)
    , m_beside(new ComparedMap(parts.axis, parts.actions->compare)) {
    parts.map->setBeside(m_beside);
    connect(m_beside, &ComparedMap::captionHeightChanged, parts.map, &MapController::setCaptionHeight);
    connectFields();
    connectActions();
    const auto takeColours = [this] {
        m_beside->matrix()->setColourMap(m_parts.map->colourMap());
        m_beside->matrix()->setGamma(m_parts.map->gamma());
    };
    connect(parts.map, &MapController::coloursChanged, this, takeColours);
    takeColours();
    connect(parts.map, &MapController::refreshed, this, &CompareController::refresh);
    connect(parts.map, &MapController::besideShown, parts.sound, &SoundController::setTwinVisible);
    connect(parts.map, &MapController::layerCompared, this, [this](int layer) {
        layer < 1 ? m_comparison.setOn(false)
                  : m_comparison.compareLayer(m_parts.session->currentModelId(), layer);
    });
    connect(&m_comparison, &Comparison::changed, this, [this] {
        m_parts.actions->compare->setChecked(m_comparison.isOn());
        m_parts.map->refreshSoon();
    });
}

void CompareController::connectFields() {
    connect(m_beside, &ComparedMap::modelChosen, &m_comparison,
            [this](ModelId model) { m_comparison.compareLayer(model, m_comparison.fixedLayer()); });
    connect(m_beside, &ComparedMap::layerChosen, &m_comparison, [this](int layer) {
        if (const auto side = m_comparison.side())
            m_comparison.compareLayer(side->model, layer);
    });
    connect(m_beside, &ComparedMap::mapChosen, &m_comparison, &Comparison::compareMap);
    connect(m_beside, &ComparedMap::recordingChosen, &m_comparison, &Comparison::compareUtterance);
    widgets::WindowBand* band = m_beside->matrix()->band();
    connect(band, &widgets::WindowBand::windowDragged, this, &CompareController::dragged);
    connect(band, &widgets::WindowBand::windowEdited, this, [this](int, int now) { edit(now); });
    m_parts.map->linkQueries(m_beside->matrix());
}

void CompareController::connectActions() {
    const Actions& a = *m_parts.actions;
    widgets::LayerMatrixView* view = m_beside->matrix();
    connect(a.compare, &QAction::toggled, &m_comparison, &Comparison::setOn);
    connect(a.difference, &QAction::toggled, this, &CompareController::refresh);
    connect(a.blink, &QAction::toggled, this, &CompareController::blinked);
    connect(a.hideDiagonal, &QAction::toggled, view, &widgets::LayerMatrixView::setHideDiagonal);
    connect(a.hideDiagonal, &QAction::toggled, m_beside->rowProfile(), &widgets::RowProfile::setHideDiagonal);
    connect(a.equalAxes, &QAction::toggled, view, &widgets::LayerMatrixView::setEqualScale);
    connect(a.linkAxes, &QAction::toggled, view, &widgets::LayerMatrixView::setLinkedAxes);
    connect(a.showWindow, &QAction::toggled, view->band(), &widgets::WindowBand::setBandVisible);
}

void CompareController::openBeside(const std::filesystem::path& model, const std::filesystem::path& origin) {
    Session* session = m_parts.session;
    const ModelId before = origin.empty() ? session->currentModelId() : session->openModel(origin);
    const ModelId opened = open(model);
    if (before != ModelId::None && before != opened)
        m_comparison.compareModel(before);
}

ModelId CompareController::open(const std::filesystem::path& model) {
    Session* session = m_parts.session;
    const ModelId opened = session->openModel(model);
    session->setModelEnabled(opened, true);
    session->setCurrentModel(opened);
    return opened;
}

QList<widgets::TimeLane*> CompareController::lanes() const {
    return {m_beside->rowProfile(), m_beside->matrix()};
}

widgets::WindowBand* CompareController::band() const {
    return m_beside->matrix()->band();
}

std::optional<DrawnMap> CompareController::drawn() const {
    const auto side = m_comparison.side();
    const MapBeside b = side ? mapBeside(*side, *m_parts.session, *m_parts.analysis) : MapBeside();
    if (!b.map)
        return std::nullopt;
    return DrawnMap{b.source, b.model, b.side.layer, b.utterance, b.result, m_beside->matrix()};
}

void CompareController::saveView(nlohmann::json& view) const {
    view["compare"] = m_comparison.state();
    view["difference"] = m_parts.actions->difference->isChecked();
}

void CompareController::restoreView(const nlohmann::json& view) {
    m_comparison.restore(view.value("compare", nlohmann::json()));
    m_parts.actions->difference->setChecked(truthIn(view, "difference", false));
}

void CompareController::refresh() {
    const auto side = m_comparison.side();
    if (!side)
        keepFocus();
    m_parts.map->setBesideVisible(side.has_value());
    m_parts.map->setComparedLayer(side && side->model == m_parts.session->currentModelId() &&
                                          side->layer != m_parts.session->currentLayer()
                                      ? side->layer
                                      : 0);
    m_parts.analysis->alsoAnalyse(side ? AnalysisKey{side->utterance, side->model} : AnalysisKey{});
    if (!side) {
        m_shown.reset();
        m_subtractedFrom.reset();
        m_difference.reset();
        m_parts.actions->blink->setChecked(false);
        showDifferenceReason(nullptr);
        showInPlace(nullptr);
        shareRange(nullptr);
        m_parts.sound->setTwinUtterance(nullptr, nullptr);
        m_onAxis = UtteranceId::None;
        return;
    }
    const MapBeside b = mapBeside(*side, *m_parts.session, *m_parts.analysis);
    if (!b.map && b.layer && b.layer->isReady())
        m_parts.analysis->requireMap(b.utterance, side->model, side->layer, b.source);
    showRecording(b);
    showFields(b);
    showDifferenceReason(&b);
    showMap(b);
    showBand(b);
    shareRange(&b);
    showInPlace(&b);
}

/// Moves the focus from map B or its lanes, which are about to be hidden, to map A. Qt would move it to the next field, where the keys
/// of the maps are letters.
void CompareController::keepFocus() {
    QWidget* focused = m_beside->window()->focusWidget();
    const auto lanes = m_parts.sound->twinLanes();
    if (!focused || !focused->isVisible())
        return;
    const auto hasIt = [focused](const QWidget* going) { return going == focused || going->isAncestorOf(focused); };
    if (hasIt(m_beside) || std::any_of(lanes.begin(), lanes.end(), hasIt))
        m_parts.map->focusMap();
}

/// Which recording or text is beside, on which axis.
void CompareController::showRecording(const MapBeside& b) {
    const bool other = b.utterance != m_parts.session->currentUtteranceId() || hasOtherTokens(b, m_parts.analysis->current());
    const OpenUtterance* heard = std::as_const(*m_parts.session).utterances()->find(b.utterance);
    const bool isText = heard && heard->isText;
    const Seconds extent = isText ? Seconds(b.result ? double(b.result->tokens.value()) : 0) : heard ? heard->duration() : Seconds(0);
    if (other && heard && (m_onAxis != b.utterance || m_axis.extent() != extent)) {
        m_onAxis = b.utterance;
        m_axis.setExtent(extent, isText ? widgets::AxisUnit::Tokens : widgets::AxisUnit::Seconds);
    }
    m_beside->setAxis(other ? &m_axis : m_parts.axis);
    m_parts.sound->setTwinUtterance(other ? heard : nullptr, &m_axis,
                                    isText && b.result ? b.result->sourceIntervals() : std::vector<Interval>());
}

void CompareController::showFields(const MapBeside& b) {
    std::vector<ComparedMap::Choice<ModelId>> choices;
    for (const OpenModel* model : m_comparison.offered())
        choices.push_back({model->id, model->shownName()});
    m_beside->setModels(choices, b.side.model);
    m_beside->setLayer(b.side.layer, b.model->layerCount(),
                       m_comparison.fixedLayer() > 0 || b.side.layer != m_parts.session->currentLayer(),
                       b.side.model != m_parts.session->currentModelId() || m_comparison.isOtherMap());
    m_beside->setMaps(offeredMaps(b), m_comparison.fixedSource());
    m_beside->setRecordings(offeredUtterances(b, *m_parts.session), b.side.utterance, b.model->readsText());
}

void CompareController::showMap(const MapBeside& b) {
    widgets::LayerMatrixView* view = m_beside->matrix();
    const AnalysisResult* current = m_parts.analysis->current();
    const LayerResult* here = current ? current->layer(m_parts.session->currentLayer()) : nullptr;
    const bool subtract = m_parts.actions->difference->isEnabled() && m_parts.actions->difference->isChecked() && here;
    const auto a = subtract ? here->sharedMap(m_parts.session->mapSource()) : nullptr;
    const bool stale = b.layer && b.layer->stale;
    if (b.map != m_shown || a != m_subtractedFrom || stale != m_shownStale ||
        (b.map != nullptr) != view->hasMatrix()) {
        m_shown = b.map;
        m_subtractedFrom = a;
        m_shownStale = stale;
        if (a && b.map) {
            const MapDifference difference = differenceOf(*a, *b.map);
            m_difference = difference.map;
            view->setDifference(difference.map, difference.negated, b.clock);
            m_beside->rowProfile()->setSigned(true);
            m_beside->rowProfile()->setMatrix(difference.map, b.clock);
        } else {
            m_difference.reset();
            view->setMatrix(b.map, b.clock);
            m_beside->rowProfile()->setSigned(false);
            m_beside->rowProfile()->setMatrix(b.map, b.clock);
        }
        view->setStale(stale);
    }
    view->setPart(partSpan(b.result));
    m_beside->rowProfile()->setPart(partSpan(b.result));
    const OpenUtterance* heard = std::as_const(*m_parts.session).utterances()->find(b.utterance);
    view->setWords(heard && heard->isText      ? (b.result ? b.result->sourceIntervals() : std::vector<Interval>{})
                   : heard && heard->alignment ? heard->alignment->words
                                               : std::vector<Interval>{});
    const QString name = tr("Layer %1 of %2, %3").arg(b.side.layer).arg(b.model->shownName(), mapNoun(b.source));
    view->setTitle(view->showsDifference() ? tr("A − B, where B is %1").arg(name) : name);
    if (view->showsDifference())
        view->setValueName(tr("A − B"), tr("A − B"));
    else
        view->setValueName(mapValueName(b.source), mapSymbol(b.source));
    if (!b.map)
        view->setEmptySentence(missingMapSentence(b, *m_parts.session));
}

void CompareController::showBand(const MapBeside& b) {
    widgets::WindowBand* band = m_beside->matrix()->band();
    const DraftKey draft{b.side.model, 0};
    const std::vector<HeadGroup> heads = headsOfMap(m_parts.session->drafts()->heads(draft, b.side.layer), b.source);
    band->setOfDifference(m_beside->matrix()->showsDifference());
    band->setMeasured(b.source.isContributions() ? QString() : mapNoun(b.source));
    band->setProfile(b.layer ? b.layer->profileOf(b.source).value_or(DiagonalProfile()) : DiagonalProfile());
    if (!band->isDragging())
        showDraftHeads(band, m_beside->rowProfile(), heads);
}

void CompareController::dragged(int window) {
    const auto side = m_comparison.side();
    if (!side)
        return;
    widgets::WindowBand* band = m_beside->matrix()->band();
    const bool isEdited = window != band->window();
    std::vector<HeadGroup> heads = m_parts.session->drafts()->heads({side->model, 0}, side->layer);
    if (isEdited)
        heads = withDrawnWindow(heads, window);
    showDraggedHeads(band, m_beside->rowProfile(), headsOfMap(heads, mapBeside(*side, *m_parts.session, *m_parts.analysis).source), isEdited);
    if (side->model == m_parts.session->currentModelId())
        m_parts.map->showDragged(side->layer, heads);
}

/// A − B is off, and says why, unless both maps are over the same tokens; B can stand in A's place wherever
/// both are of one recording.
void CompareController::showDifferenceReason(const MapBeside* b) {
    QString why = tr("No comparison. Press C to show a second map."), noBlink = why;
    if (b) {
        const AnalysisResult* current = m_parts.analysis->current();
        const OpenModel* model = m_parts.session->currentModel();
        why = whyNoDifference(
            comparedTokens(model, m_parts.session->currentUtteranceId(), current, m_parts.analysis->currentMap() != nullptr),
            comparedTokens(b->model, b->utterance, b->result, b->map != nullptr));
        noBlink = b->utterance != m_parts.session->currentUtteranceId() ? tr("The maps must show the same utterance.")
                  : hasOtherTokens(*b, current)                         ? tr("The maps must show the same tokens.")
                  : !b->map                                             ? tr("The second map is not available.")
                                                                        : QString();
    }
    setAvailable(m_parts.actions->difference, why);
    if (!noBlink.isEmpty())
        m_parts.actions->blink->setChecked(false);
    setAvailable(m_parts.actions->blink, noBlink);
}

void CompareController::blinked(bool on) {
    stopListening();
    if (on) {
        m_sinceBlink.start();
        QCoreApplication::instance()->installEventFilter(this); // only until the key is let go
    }
    refresh();
}

void CompareController::stopListening() {
    QCoreApplication::instance()->removeEventFilter(this);
}

bool CompareController::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::KeyRelease) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_B && !key->isAutoRepeat()) {
            stopListening();
            if (m_sinceBlink.elapsed() > kHeldMilliseconds)
                m_parts.actions->blink->setChecked(false);
        }
    }
    return QObject::eventFilter(watched, event);
}

void CompareController::showInPlace(const MapBeside* b) {
    const QAction* blink = m_parts.actions->blink;
    const bool isInPlace = b && b->map && blink->isEnabled() && blink->isChecked();
    const bool isOnAxis = m_beside->matrix()->axis() == m_parts.axis;
    m_parts.map->setSecond(b ? std::optional(SecondMap{b->side.model, b->side.layer, b->source, isOnAxis ? b->map : nullptr, m_difference, isInPlace})
                             : std::nullopt);
    if (isInPlace)
        m_parts.map->showInPlace(
            b->map, b->clock,
            {tr("%1, layer %2, %3").arg(b->model->shownName()).arg(b->side.layer).arg(mapNoun(b->source)), mapValueName(b->source),
             mapSymbol(b->source)},
            m_beside->matrix()->band());
    else
        m_parts.map->showInPlace(nullptr, TokenClock(), {}, nullptr);
}

/// One scale for both: the same colour is the same value. A difference has its own.
void CompareController::shareRange(const MapBeside* b) {
    const auto own = m_parts.map->ownRange();
    std::optional<widgets::ValueRange> range;
    if (b && b->map && own) {
        if (m_rangeOf != b->map) {
            m_rangeOf = b->map;
            m_range = widgets::offDiagonalRange(b->map->level(0).view());
        }
        range = widgets::ValueRange{std::min(own->low, m_range.low), std::max(own->high, m_range.high)};
    } else {
        m_rangeOf.reset();
    }
    m_parts.map->setRange(range);
    m_beside->matrix()->setRange(m_beside->matrix()->showsDifference() ? std::nullopt : range);
}

void CompareController::edit(int window) {
    const auto side = m_comparison.side();
    if (!side)
        return;
    try {
        m_parts.session->drafts()->setWindow(
            {side->model, 0}, {side->layer, window > 0 ? std::optional<int>(window) : std::nullopt});
    } catch (const Error& error) {
        m_parts.session->messages()->post(Severity::Warning, QString::fromUtf8(error.what()));
        Q_EMIT messagesRequested();
    }
}

} // namespace headroom::app
