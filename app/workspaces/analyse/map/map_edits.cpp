// SPDX-License-Identifier: GPL-3.0-or-later
// Windows that are drawn, typed or suggested, on their way into the draft.
#include "app/workspaces/analyse/map/band_heads.h"
#include "app/workspaces/analyse/map/head_words.h"
#include "app/workspaces/analyse/map/layers_panel.h"
#include "app/workspaces/analyse/map/map_presenter.h"
#include "app/workspaces/analyse/map/matrix_panel.h"
#include "app/workspaces/analyse/map/window_spin.h"
#include "core/errors/error.h"
#include "widgets/matrix/matrix_view.h"
#include "widgets/matrix/row_profile.h"
#include "widgets/matrix/window_band.h"

namespace headroom::app {

namespace {

/// Steps by key or arrow that follow within this time are one undo step.
constexpr qint64 kDrawingMergeMilliseconds = 1000;

/// 0 is full on the screen, nullopt in the draft.
LayerWindow layerWindow(int layer, int window) {
    return {layer, window > 0 ? std::optional<int>(window) : std::nullopt};
}

} // namespace

void MapPresenter::dragged(int window) {
    m_dragging = true;
    const int layer = m_session->currentLayer();
    widgets::WindowBand* band = m_views.matrix->matrix()->band();
    const bool isEdited = window != draftWindow();
    std::vector<HeadGroup> heads = m_session->drafts()->heads(draft(), layer);
    if (isEdited)
        heads = withDrawnWindow(heads, window);
    showDraggedHeads(band, m_views.matrix->rowProfile(), headsOfMap(heads, m_session->mapSource()), isEdited);
    m_views.layers->showDragged(layer, heads);
    m_views.matrix->windowField()->setWindow(window);
    Q_EMIT windowDragged(layer, heads);
    if (!isEdited && !band->isDragging())
        m_dragging = false; // Esc took it back
}

void MapPresenter::dragElsewhere(int window) {
    m_views.matrix->matrix()->band()->setWindow(window);
    dragged(window);
}

void MapPresenter::edited(int window, bool byDrag) {
    m_dragging = false;
    const bool goesOn = !byDrag && m_sinceEdit.isValid() && m_sinceEdit.elapsed() < kDrawingMergeMilliseconds;
    setWindow(window, goesOn ? EditStep::Continue : EditStep::New);
    if (byDrag)
        m_sinceEdit.invalidate();
    else
        m_sinceEdit.start();
}

void MapPresenter::setWindow(int window, EditStep step) {
    bool changed = false;
    try {
        changed = m_session->drafts()->setWindow(draft(), layerWindow(m_session->currentLayer(), window), step);
    } catch (const Error& error) {
        m_session->messages()->post(Severity::Warning, QString::fromUtf8(error.what()));
        Q_EMIT refused();
    }
    m_windowOf.reset(); // what was typed has been answered
    if (!changed) // draftChanged() refreshes otherwise
        refresh();
}

void MapPresenter::applyWindow(int window) {
    setWindow(window, EditStep::New);
}

void MapPresenter::applyWindows(const std::vector<std::optional<int>>& suggested) {
    std::vector<LayerWindow> windows;
    for (std::size_t i = 0; i < suggested.size(); ++i)
        if (suggested[i])
            windows.push_back(layerWindow(int(i) + 1, *suggested[i]));
    writeWindows(tr("suggested windows for all layers"), windows);
}

void MapPresenter::applyToLayers(int window, int first, int last) {
    std::vector<LayerWindow> windows;
    for (int layer = first; layer <= last; ++layer)
        windows.push_back(layerWindow(layer, window));
    const QString words = window > 0 ? QString::number(window) : tr("full");
    writeWindows(first == last ? tr("window %1 for layer %2").arg(words).arg(first)
                               : tr("window %1 for layers %2 to %3").arg(words).arg(first).arg(last),
                 windows);
}

void MapPresenter::writeWindows(const QString& step, const std::vector<LayerWindow>& windows) {
    try {
        m_session->drafts()->setWindows(draft(), windows, step);
    } catch (const Error& error) {
        m_session->messages()->post(Severity::Warning, QString::fromUtf8(error.what()));
        Q_EMIT refused();
    }
}

} // namespace headroom::app
