// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/common/dock_tools.h"
#include "app/workspaces/analyse/map/map_controller.h"

#include "app/parts/actions.h"
#include "app/parts/dock.h"
#include "app/parts/panel_header.h"
#include "app/parts/checks_panel.h"
#include "app/parts/view_values.h"
#include "app/workspaces/analyse/common/named_colours.h"
#include "app/workspaces/analyse/map/head_words.h"
#include "app/workspaces/analyse/map/layers_panel.h"
#include "app/workspaces/analyse/map/map_banner.h"
#include "app/workspaces/analyse/map/map_presenter.h"
#include "app/workspaces/analyse/map/matrix_panel.h"
#include "app/workspaces/analyse/map/read_out_panel.h"
#include "widgets/look/context_menu.h"
#include "widgets/matrix/layer_thumbnails.h"
#include "widgets/matrix/matrix_view.h"
#include "widgets/matrix/row_profile.h"

#include <QAction>
#include <QCursor>
#include <QMainWindow>
#include <QScrollArea>
#include <QMenu>

#include <algorithm>

namespace headroom::app {

using widgets::ColourMap;

MapController::MapController(const Parts& parts, QObject* parent)
    : Controller(parent)
    , m_parts(parts)
    , m_matrix(new MatrixPanel(parts.axis, *parts.actions))
    , m_layers(new LayersPanel(*parts.actions))
    , m_readOut(new ReadOutPanel)
    , m_checks(new ChecksPanel)
    , m_presenter(new MapPresenter(parts.session, parts.analysis, parts.axis,
                                   {m_matrix, m_layers, m_checks, m_readOut}, this))
    , m_banner(new MapBanner(
          {parts.session, parts.analysis, parts.worker, parts.actions, parts.axis, m_matrix->banner(), m_matrix->rowProfile()},
          this)) {
    makeDocks();
    connectActions();
    connectViews();
    showDetails();
}

void MapController::makeDocks() {
    const Actions& a = *m_parts.actions;
    QMainWindow* window = m_parts.window;
    m_docks.readOut = new Dock(QStringLiteral("readout"), tr("Read-out"), scrolled(m_readOut), window);
    m_docks.readOut->header()->addButton(a.copyReadOut);
    connect(a.copyReadOut, &QAction::triggered, m_readOut, &ReadOutPanel::copy);
    m_docks.checks = new Dock(QStringLiteral("checks"), tr("Checks"), scrolled(m_checks), window);
    widgets::setContextMenu(m_matrix->matrix(),
                   {a.suggestedWindow, a.fullWindow, nullptr, a.compare, a.keepCurve, nullptr, a.hideDiagonal, a.showWindow,
                    a.linkAxes, a.equalAxes, nullptr, a.fit, a.zoomIn, a.zoomOut, nullptr, a.copyReadOut, a.exportFigure,
                    a.exportData});
    m_docks.layers = new Dock(QStringLiteral("layers"), tr("Layers"), m_layers, window);
}

void MapController::connectActions() {
    const Actions& a = *m_parts.actions;
    Session* session = m_parts.session;
    const auto at = [this](QAction* action, auto work) { connect(action, &QAction::triggered, this, work); };
    at(a.previousLayer, [session] { session->setCurrentLayer(session->currentLayer() - 1); });
    at(a.nextLayer, [session] { session->setCurrentLayer(session->currentLayer() + 1); });
    at(a.focusWindow, [this] { m_matrix->matrix()->band()->setFocus(Qt::ShortcutFocusReason); });
    at(a.fullWindow, [this] { m_presenter->applyFull(); });
    connect(a.hideDiagonal, &QAction::toggled, this, [this](bool hide) {
        m_matrix->matrix()->setHideDiagonal(hide);
        m_matrix->rowProfile()->setHideDiagonal(hide);
        m_layers->thumbnails()->setHideDiagonal(hide);
    });
    connect(a.equalAxes, &QAction::toggled, m_matrix->matrix(), &widgets::LayerMatrixView::setEqualScale);
    connect(a.linkAxes, &QAction::toggled, m_matrix->matrix(), &widgets::LayerMatrixView::setLinkedAxes);
    connect(a.showWindow, &QAction::toggled, m_matrix->matrix()->band(),
            &widgets::WindowBand::setBandVisible);
}

void MapController::connectViews() {
    connect(m_presenter, &MapPresenter::refreshed, m_banner, &MapBanner::refresh);
    connect(m_presenter, &MapPresenter::refreshed, this, &MapController::refreshed);
    connect(m_presenter, &MapPresenter::windowDragged, this, &MapController::windowDragged);
    connect(m_banner, &MapBanner::messagesRequested, this, &MapController::messagesRequested);
    connect(m_presenter, &MapPresenter::refused, this, &MapController::messagesRequested);
    connect(m_checks, &ChecksPanel::alignmentsRequested, this, &MapController::alignmentsRequested);
    connect(m_matrix, &MatrixPanel::coloursChanged, this, &MapController::coloursChanged);
    connect(m_matrix, &MatrixPanel::besideShown, this, &MapController::besideShown);
    connect(m_layers->thumbnails(), &widgets::LayerThumbnails::layerCompared, this,
            [this](int layer) { Q_EMIT layerCompared(layer + 1); });
    connect(m_matrix->matrix()->band(), &widgets::WindowBand::applyToLayersRequested, this,
            &MapController::askForLayers);
    Session* session = m_parts.session;
    AnalysisService* analysis = m_parts.analysis;
    for (auto signal :
         {&Session::currentModelChanged, &Session::currentLayerChanged, &Session::mapSourceChanged})
        connect(session, signal, this, &MapController::showDetails);
    connect(session, &Session::modelChanged, this, &MapController::showDetails);
    connect(analysis, &AnalysisService::resultChanged, this, &MapController::showDetails);
    const auto showProgress = [this, session, analysis] {
        m_layers->showProgress(analysis->progress(), {session->currentUtteranceId(), session->currentModelId()});
    };
    for (auto signal : {&AnalysisService::progressChanged, &AnalysisService::busyChanged})
        connect(analysis, signal, this, showProgress);
    for (auto signal : {&Session::currentUtteranceChanged, &Session::currentModelChanged})
        connect(session, signal, this, showProgress);
}

MapController::Lent MapController::lend() {
    m_lent = true;
    m_presenter->setReadOutShown(false);
    return {m_readOut, m_checks, m_docks.checks->header()};
}

void MapController::takeBack() {
    m_lent = false;
    m_presenter->setReadOutShown(true);
    showDetails();
}

QString MapController::measuredText() const {
    const AnalysisResult* result = m_parts.analysis->current();
    const LayerResult* layer = result ? result->layer(m_parts.session->currentLayer()) : nullptr;
    return MapPresenter::isAttentionOnly(layer) ? tr("attention") : tr("contributions");
}

void MapController::showDetails() {
    const OpenModel* model = m_parts.session->currentModel();
    // Also where the large map shows a head: CL is that of the contributions.
    const bool other = m_parts.session->mapSource() != MapSource{};
    // As one word the text is cut in its middle: a model that was changed differs from its origin at the end.
    const QString shown = !model ? QString() : other ? tr("%1, %2").arg(measuredText(), model->shownName()) : model->shownName();
    m_docks.layers->header()->setDetail(
        !model        ? tr("appear after an utterance has been analysed")
        : model->info ? QString(shown).replace(u' ', QChar::Nbsp)
        : model->state == OpenState::Failed ? tr("%1 could not be opened").arg(model->shownName())
                                            : tr("%1, opening").arg(model->shownName()));
    if (m_lent)
        return;
    m_docks.checks->header()->setDetail(
        model && model->info ? tr("layer %1").arg(m_parts.session->currentLayer()) : QString());
}

void MapController::askForLayers(int window) {
    const OpenModel* model = m_parts.session->currentModel();
    if (!model || !model->info)
        return;
    const int here = m_parts.session->currentLayer(), last = model->layerCount();
    QMenu menu(m_matrix);
    const auto offer = [&](const QString& text, int from, int to) {
        connect(menu.addAction(text), &QAction::triggered, this,
                [this, window, from, to] { m_presenter->applyToLayers(window, from, to); });
    };
    offer(last == 1 ? tr("To layer 1") : tr("To all %1 layers").arg(last), 1, last);
    if (here < last)
        offer(tr("To layers %1 to %2").arg(here).arg(last), here, last);
    if (here > 1)
        offer(tr("To layers 1 to %1").arg(here), 1, here);
    menu.exec(QCursor::pos());
}

QWidget* MapController::panel() const {
    return m_matrix;
}

void MapController::focusMap() {
    m_matrix->matrix()->setFocus();
}

void MapController::refresh() {
    m_presenter->refresh();
}

void MapController::refreshSoon() {
    m_presenter->refreshSoon();
}

bool MapController::isPending() const {
    return m_presenter->isPending();
}

QString MapController::statusText() const {
    return m_presenter->statusText();
}

void MapController::drag(int window) {
    m_presenter->dragElsewhere(window);
}

void MapController::edit(int window) {
    m_presenter->edit(window);
}

widgets::WindowBand* MapController::band() const {
    return m_matrix->matrix()->band();
}

void MapController::applyWindow(int window) {
    m_presenter->applyWindow(window);
}

void MapController::applyWindows(const std::vector<std::optional<int>>& windows) {
    m_presenter->applyWindows(windows);
}

void MapController::setBeside(QWidget* second) {
    m_matrix->setBeside(second);
}

void MapController::setBesideVisible(bool visible) {
    m_matrix->setBesideVisible(visible);
}

void MapController::setCaptionHeight(int pixels) {
    m_matrix->setCaptionHeight(pixels);
}

void MapController::linkQueries(widgets::LayerMatrixView* second) {
    // Where the axes are not linked both maps still show the same queries.
    for (const auto& [from, to] : {std::pair(m_matrix->matrix(), second), std::pair(second, m_matrix->matrix())})
        connect(from, &widgets::LayerMatrixView::visibleQueriesChanged, to, [from = from, to = to] {
            if (from->axis() == to->axis())
                to->setVisibleQueries(from->mapping().queries);
        });
}

void MapController::showInPlace(const std::shared_ptr<const MaxPyramid>& map, const TokenClock& clock,
                                const widgets::MapNames& names, const widgets::WindowBand* window) {
    widgets::LayerMatrixView* view = m_matrix->matrix();
    if (!map && !view->showsOther())
        return;
    // Moving the layer's own band would not change the map that stands in its place: that map's window is shown and not edited.
    view->setInPlace(map, map ? clock : TokenClock(), names, window);
    m_matrix->rowProfile()->setMatrix(map ? map : view->ownMap(), map ? clock : view->ownClock());
    m_matrix->setInPlaceName(map ? names.title : QString());
    const widgets::WindowBand& shown = view->band()->drawn();
    m_matrix->rowProfile()->setWindow(shown.shape(), shown.isOfAllHeads());
}

void MapController::setSecond(const std::optional<SecondMap>& second) {
    m_presenter->setSecond(second);
}

std::optional<widgets::ValueRange> MapController::ownRange() const {
    return m_matrix->matrix()->hasMatrix() ? std::optional(m_matrix->matrix()->ownRange()) : std::nullopt;
}

void MapController::setRange(std::optional<widgets::ValueRange> range) {
    m_matrix->matrix()->setRange(range);
}

void MapController::setComparedLayer(int layer) {
    m_layers->thumbnails()->setCompared(layer - 1);
}

void MapController::showDragged(int layer, const std::vector<HeadGroup>& heads) {
    m_layers->showDragged(layer, heads);
}

ColourMap::Name MapController::colourMap() const {
    return m_matrix->colourMap();
}

double MapController::gamma() const {
    return m_matrix->gamma();
}

QList<widgets::TimeLane*> MapController::lanes() const {
    return {m_matrix->rowProfile(), m_matrix->matrix()};
}

const widgets::LayerMatrixView& MapController::drawnMap() const {
    return *m_matrix->matrix();
}

void MapController::saveView(nlohmann::json& view) const {
    const Actions& a = *m_parts.actions;
    view["hideDiagonal"] = a.hideDiagonal->isChecked();
    view["showWindow"] = a.showWindow->isChecked();
    view["linkAxes"] = a.linkAxes->isChecked();
    view["equalAxes"] = a.equalAxes->isChecked();
    view["gamma"] = m_matrix->gamma();
    view["colourMap"] = coloursText(m_matrix->colourMap());
}

void MapController::restoreView(const nlohmann::json& view) {
    const Actions& a = *m_parts.actions;
    a.hideDiagonal->setChecked(truthIn(view, "hideDiagonal", true));
    a.showWindow->setChecked(truthIn(view, "showWindow", true));
    a.linkAxes->setChecked(truthIn(view, "linkAxes", true));
    a.equalAxes->setChecked(truthIn(view, "equalAxes", false));
    m_matrix->setGamma(std::clamp(numberIn(view, "gamma", 0.5), 0.2, 1.0));
    m_matrix->setColourMap(coloursOf(stringIn(view, "colourMap"), ColourMap::Name::Magma));
}

} // namespace headroom::app
