// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/map/map_presenter.h"

#include "app/documents/items/map_names.h"
#include "app/documents/items/why_no_map.h"
#include "app/parts/availability.h"
#include "app/parts/checks_panel.h"
#include "app/parts/number_text.h"
#include "app/workspaces/analyse/common/model_frames.h"
#include "app/workspaces/analyse/common/part_text.h"
#include "app/workspaces/analyse/map/checks.h"
#include "app/workspaces/analyse/map/band_heads.h"
#include "app/workspaces/analyse/map/head_words.h"
#include "app/workspaces/analyse/map/layers_panel.h"
#include "app/workspaces/analyse/map/matrix_panel.h"
#include "app/workspaces/analyse/map/read_out_panel.h"
#include "app/workspaces/analyse/map/window_spin.h"
#include "core/architecture/edits.h"
#include "widgets/matrix/layer_thumbnails.h"
#include "widgets/matrix/matrix_view.h"
#include "widgets/matrix/row_profile.h"

#include <algorithm>

namespace headroom::app {

MapPresenter::MapPresenter(Session* session, AnalysisService* analysis, widgets::TimeAxis* axis,
                           const Views& views, QObject* parent)
    : QObject(parent)
    , m_session(session)
    , m_analysis(analysis)
    , m_axis(axis)
    , m_views(views) {
    m_soon.setSingleShot(true);
    m_soon.setInterval(0);
    connect(&m_soon, &QTimer::timeout, this, &MapPresenter::refresh);
    for (auto signal : {&Session::currentUtteranceChanged, &Session::currentModelChanged,
                        &Session::currentLayerChanged, &Session::mapSourceChanged})
        connect(session, signal, this, &MapPresenter::refreshSoon);
    connect(session, &Session::utteranceChanged, this, &MapPresenter::refreshSoon);
    connect(session, &Session::utteranceRemoved, this, &MapPresenter::refreshSoon);
    connect(session, &Session::modelChanged, this, &MapPresenter::refreshSoon);
    connect(session, &Session::modelRemoved, this, &MapPresenter::refreshSoon);
    // A draft changes while a key is held: at once, so that all views show the same window.
    connect(session->drafts(), &Drafts::draftChanged, this, [this](DraftKey key) {
        if (key.document == 0)
            refresh();
    });
    connect(analysis, &AnalysisService::resultChanged, this, &MapPresenter::refreshSoon);
    connect(analysis, &AnalysisService::layerReady, this, &MapPresenter::refreshSoon);
    connect(axis, &widgets::TimeAxis::cursorChanged, this, &MapPresenter::refreshReadOut);
    connect(axis, &widgets::TimeAxis::pointerChanged, this, &MapPresenter::refreshReadOut);
    connectViews();
}

void MapPresenter::connectViews() {
    widgets::WindowBand* band = m_views.matrix->matrix()->band();
    connect(band, &widgets::WindowBand::windowDragged, this, &MapPresenter::dragged);
    connect(band, &widgets::WindowBand::windowEdited, this,
            [this](int, int now) { edited(now, m_dragging); });
    connect(m_views.matrix, &MatrixPanel::windowEntered, this, [this](int window) { edited(window, false); });
    connect(m_views.matrix, &MatrixPanel::sourceChosen, m_session, &Session::setMapSource);
    connect(m_views.matrix, &MatrixPanel::coloursChanged, this, [this] {
        m_views.layers->thumbnails()->setColourMap(m_views.matrix->colourMap());
        m_views.layers->thumbnails()->setGamma(m_views.matrix->gamma());
    });
    connect(m_views.layers->thumbnails(), &widgets::LayerThumbnails::layerSelected, this,
            [this](int layer) { m_session->setCurrentLayer(layer + 1); });
    connect(m_views.layers->thumbnails(), &widgets::LayerThumbnails::headSelected, this, [this](int head) {
        m_session->setMapSource(head < 0 ? MapSource{} : MapSource{MapSource::Kind::Head, head + 1});
    });
}

void MapPresenter::refreshSoon() {
    if (!m_soon.isActive())
        m_soon.start();
}

DraftKey MapPresenter::draft() const {
    return {m_session->currentModelId(), 0};
}

int MapPresenter::draftWindow() const {
    return windowOf(headsOfMap(m_session->drafts()->heads(draft(), m_session->currentLayer()), m_session->mapSource())).value_or(0);
}

bool MapPresenter::isAttentionOnly(const LayerResult* layer) {
    return layer && layer->mean && !layer->contributions;
}

void MapPresenter::refresh() {
    m_soon.stop();
    const OpenModel* model = m_session->currentModel();
    const AnalysisResult* result = m_analysis->current();
    const int number = m_session->currentLayer();
    const LayerResult* layer = result ? result->layer(number) : nullptr;
    // Maps from elsewhere may have attention only: the mean of the heads is then what is looked at first.
    const bool attentionOnly = isAttentionOnly(layer);
    if (attentionOnly && m_session->mapSource().isContributions())
        m_session->setMapSource({MapSource::Kind::HeadMean});
    const bool known = model && model->info && number >= 1 && number <= model->layerCount();
    m_views.matrix->setHeads(known ? appliedHeads(model->info->architecture.encoder, number)
                                   : std::vector<HeadGroup>(),
                             known && !model->maps);
    m_views.matrix->setMissing([layer](const MapSource& source) { return layer ? whyNotImported(*layer, source) : QString(); });
    m_views.matrix->setSource(m_session->mapSource());
    m_views.matrix->setLayer(model && model->info ? number : 0, model ? model->layerCount() : 0);
    m_views.matrix->setModelName(model ? model->shownName() : QString());
    // The small maps stay those of the contributions, whose CL stands under them; a head is looked at in the
    // large one.
    m_views.layers->showResult(model, *m_session->drafts(), result,
                               attentionOnly ? MapSource{MapSource::Kind::HeadMean} : MapSource{});
    m_views.layers->thumbnails()->setCurrent(model && model->info ? number - 1 : -1);
    const MapSource source = m_session->mapSource();
    m_views.layers->thumbnails()->setHead(source.kind == MapSource::Kind::Head ? source.head - 1 : -1);
    showMap(result, layer);
    if (m_showsReadOut)
        m_views.checks->setChecks(checksOf(m_session->currentUtterance(), layer, model, result));
    refreshReadOut();
    Q_EMIT refreshed();
}

void MapPresenter::showMap(const AnalysisResult* result, const LayerResult* layer) {
    const MapSource source = m_session->mapSource();
    const auto map = layer ? layer->sharedMap(source) : nullptr;
    widgets::LayerMatrixView* view = m_views.matrix->matrix();
    const TokenClock clock = result ? result->clock : TokenClock();
    const bool stale = layer && layer->stale;
    view->setPart(partSpan(result));
    m_views.matrix->rowProfile()->setPart(partSpan(result));
    if (map != m_shownMap || stale != m_shownStale) { // a new map costs a percentile and a picture
        m_shownMap = map;
        m_shownStale = stale;
        view->setMatrix(map, clock);
        view->setStale(stale);
        m_views.matrix->rowProfile()->setMatrix(map, clock);
    }
    const OpenUtterance* utterance = m_session->currentUtterance();
    view->setWords(utterance && utterance->isText ? (result ? result->sourceIntervals() : std::vector<Interval>{})
                   : utterance && utterance->alignment ? utterance->alignment->words
                                                       : std::vector<Interval>{});
    view->setValueName(mapValueName(source), mapSymbol(source));
    m_views.matrix->setRemark(stale ? tr("from before the worker stopped") : mapRemark(layer, source));
    const MixedMap* mixed = layer && source.isMixing() ? layer->mixed(source.mixing) : nullptr;
    if (!map && layer && !layer->reason.isEmpty() && source.isContributions())
        view->setEmptySentence(layer->reason);
    else if (mixed && !mixed->map)
        view->setEmptySentence(mixed->reason);
    else if (!map)
        showEmptySentence(result);
    widgets::WindowBand* band = view->band();
    // Every other CL on the screen is that of the contributions, or of the heads' mean where only attention is known.
    band->setMeasured(source == MapSource{isAttentionOnly(layer) ? MapSource::Kind::HeadMean : MapSource::Kind::Contributions}
                          ? QString()
                          : mapNoun(source));
    const std::vector<HeadGroup> heads = m_session->drafts()->heads(draft(), m_session->currentLayer());
    const std::vector<HeadGroup> ofMap = headsOfMap(heads, source);
    band->setProfile(layer ? layer->profileOf(source).value_or(DiagonalProfile()) : DiagonalProfile());
    if (!band->isDragging())
        showDraftHeads(band, m_views.matrix->rowProfile(), ofMap);
    setAvailable(m_views.matrix->windowField(), !map                  ? tr("The chosen map is not available.")
                                                : takesWindow(heads) ? QString()
                                                                      : tr("No head of this layer takes a window."));
    m_views.matrix->windowField()->setTakesWindow(heads.empty() || takesWindow(heads));
    if (result && result->tokens.value() > 0)
        m_views.matrix->windowField()->setTokens(int(result->tokens.value()));
    const std::pair shown(draft(), m_session->currentLayer());
    if (m_windowOf != shown) // what is typed there was for another layer
        m_views.matrix->windowField()->setWindow(band->shownWindow());
    m_windowOf = shown;
    m_views.matrix->windowField()->showWindow(band->shownWindow(), !band->isDragging() && takesWindow(heads) && !oneWindowOf(heads));
}

/// What is not obvious from the map's name.
QString MapPresenter::mapRemark(const LayerResult* layer, MapSource source) const {
    if (!layer || !layer->attention || source.kind != MapSource::Kind::Head)
        return {};
    const auto& compressed = layer->attention->compressed;
    const auto head = std::size_t(source.head) - 1;
    if (head < compressed.size() && !compressed[head].empty())
        return tr("%1 compressed keys for %2 tokens").arg(thousands(std::int64_t(compressed[head].columns())), thousands(layer->tokens));
    return source.raw ? tr("before relaxation") : QString();
}

void MapPresenter::showEmptySentence(const AnalysisResult* result) {
    widgets::LayerMatrixView* view = m_views.matrix->matrix();
    const OpenModel* model = m_session->currentModel();
    const OpenUtterance* utterance = m_session->currentUtterance();
    if (!model)
        return view->setEmptySentence(tr("No model yet. Open one to see what its layers attend to."));
    if (model->state == OpenState::Failed)
        return view->setEmptySentence(tr("%1 could not be opened. %2").arg(model->shownName(), model->sentence));
    if (!utterance)
        return view->setEmptySentence(tr("No utterance yet. Open a recording, or a text, to see what the layers attend to."));
    if (const QString why = whyNoMap(*model, *utterance); !why.isEmpty())
        return view->setEmptySentence(why);
    if (result && result->state == AnalysisResult::State::Failed)
        return view->setEmptySentence(tr("No matrix. See the reason above."));
    const LayerResult* layer = result ? result->layer(m_session->currentLayer()) : nullptr;
    const bool cancelled = result && result->state == AnalysisResult::State::Cancelled;
    if (layer && layer->isReady() && (cancelled || result->state == AnalysisResult::State::Ready || layer->contributionsAsked))
        return view->setEmptySentence(missingMapText(*layer, m_session->mapSource()));
    view->setEmptySentence(cancelled ? tr("Cancelled before this layer finished.") : tr("Analysing…"));
}

void MapPresenter::setReadOutShown(bool shown) {
    m_showsReadOut = shown;
    refreshReadOut();
    refreshSoon();
}

void MapPresenter::setSecond(const std::optional<SecondMap>& second) {
    if (second == m_second)
        return;
    m_second = second;
    refreshReadOut();
}

void MapPresenter::refreshReadOut() {
    if (!m_showsReadOut)
        return;
    const AnalysisResult* result = m_analysis->current();
    const LayerResult* layer = result ? result->layer(m_session->currentLayer()) : nullptr;
    const MapSource source = m_session->mapSource();
    ReadMap shown{m_session->currentModel(), result, layer ? layer->map(source) : nullptr, source, m_session->currentLayer()};
    std::optional<ReadOut::Beside> beside;
    if (m_second) {
        ReadMap second{std::as_const(*m_session).models()->find(m_second->model), m_analysis->result(m_session->currentUtteranceId(), m_second->model),
                       m_second->map.get(), m_second->source, m_second->layer};
        if (m_second->isInPlace)
            shown = second;
        if (m_second->difference) {
            second.map = m_second->difference.get();
            beside = {tr("A − B"), readOutOf(second).value};
        } else if (m_second->map && !m_second->isInPlace) {
            const ReadOut b = readOutOf(second);
            beside = {tr("%1, B").arg(b.valueName), b.value};
        }
    }
    ReadOut readOut = readOutOf(shown);
    if (m_second)
        readOut.mapName = m_second->isInPlace ? tr("B") : tr("A");
    readOut.beside = beside;
    if (shown.result && shown.result->tokens.value() > 0 && frontEndOf(shown.model)) {
        const Architecture& architecture = shown.model->info->architecture;
        if (m_field.tokens() != shown.result->tokens.value() || !(m_fieldOf == architecture.encoder)) {
            m_field = ReceptiveField(architecture.encoder, shown.result->tokens.value());
            m_fieldOf = architecture.encoder;
        }
        readOut.reach = reachAt(readOut, architecture, m_field, shown.layer, *shown.result, m_session->currentUtterance()->duration());
    }
    m_views.readOut->setLines(
        linesOf(readOut),
        tr("The cursor is the query (attending), the pointer the key (attended to). Contribution: the share of the key in "
           "the query's representation; rows sum to 1. Kobayashi et al. 2021; Alastruey et al. 2022, Eq. 5. The last two "
           "lines follow from the architecture: the tokens that this layer lets the cursor's token see, and the part of "
           "the recording that can reach it through all layers up to this one."));
}

ReadOut MapPresenter::readOutOf(const ReadMap& map) const {
    return readOutAt(m_session->currentUtterance(), map.result, map.map, map.source, m_axis->cursor(), m_axis->pointer(), frontEndOf(map.model));
}

QString MapPresenter::statusText() const {
    const OpenUtterance* utterance = m_session->currentUtterance();
    const OpenModel* model = m_session->currentModel();
    if (!utterance)
        return tr("Ready. Drop files anywhere in this window.");
    if (!model)
        return tr("%1. Open a model to analyse it.").arg(utterance->shownName());
    if (model->state == OpenState::Failed)
        return tr("%1 was not analysed, because the model “%2” could not be opened.").arg(utterance->shownName(), model->shownName());
    if (!model->info)
        return tr("%1. Not analysed yet.").arg(utterance->shownName());
    const AnalysisResult* result = m_analysis->current();
    QString text = tr("Layer %1 of %2.").arg(m_session->currentLayer()).arg(model->shownName());
    if (!result || result->tokens.value() == 0)
        return text;
    const MapSource source = m_session->mapSource();
    const LayerResult* layer = result->layer(m_session->currentLayer());
    if (layer && !layer->reason.isEmpty() && source.isContributions())
        return text + QLatin1Char(' ') + layer->reason;
    const QString remark = mapRemark(layer, source);
    if (!remark.isEmpty())
        return text + QLatin1Char(' ') + tr("Attention weights: %1.").arg(remark);
    const auto tokens = result->tokens.value();
    const QString keys = tokens == 1 ? tr("1 key") : tr("%1 keys").arg(thousands(tokens));
    if (result->imported)
        return text + QLatin1Char(' ') +
               tr("Imported maps, %1%2, over %3, loaded in %4 ms.")
                   .arg(result->imported->file, partText(result->covered()), keys)
                   .arg(decimals(result->milliseconds, 0));
    const QString norm =
        model->info->architecture.encoder.norm == NormPlace::Pre ? tr("pre-LN") : tr("post-LN");
    text += QLatin1Char(' ') +
            (source.isMixing()
                 ? mapTitle(source) + QStringLiteral(": ") + mapFormula(source) + QLatin1Char('.')
             : source.needsAttention()
                 ? tr("Attention weights as applied, over %1.").arg(keys)
                 : tr("Kobayashi norms, %1, over %2.").arg(norm, keys));
    if (result->state == AnalysisResult::State::Ready && result->milliseconds > 0)
        text += QLatin1Char(' ') + (result->readyLayers() == 1 ? tr("%1 layer in %2 ms.") : tr("%1 layers in %2 ms."))
                                       .arg(result->readyLayers())
                                       .arg(decimals(result->milliseconds, 0));
    return text;
}

} // namespace headroom::app
