// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/drafts/drafts.h"
#include "app/documents/session.h"
#include "app/jobs/analysis_service.h"
#include "app/workspaces/analyse/map/second_map.h"
#include "core/analysis/receptive_field.h"
#include "widgets/time_axis/time_axis.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <optional>
#include <utility>

namespace headroom::app {

class ChecksPanel;
class LayersPanel;
class MatrixPanel;
class ReadOutPanel;
struct ReadOut;

/// Keeps the pictures of the model true: takes what session and analysis hold, and gives it to matrix, row
/// profile, thumbnails, checks and read-out. Also the other way: a window that was dragged, stepped or typed in
/// any of them becomes one edit of the draft, and all the others follow within the same frame.
/// Window's thread.
class MapPresenter : public QObject {
    Q_OBJECT

public:
    struct Views {
        MatrixPanel* matrix;
        LayersPanel* layers;
        ChecksPanel* checks;
        ReadOutPanel* readOut;
    };
    MapPresenter(Session* session, AnalysisService* analysis, widgets::TimeAxis* axis, const Views& views,
                 QObject* parent = nullptr);

    /// Everything, at the next turn of the event loop; many calls are one.
    void refreshSoon();
    void refresh();
    bool isPending() const { return m_soon.isActive(); }
    /// Read-out and checks are this map's, which is the initial state, or those of what is shown in the map's place.
    void setReadOutShown(bool shown);
    /// For the read-out: what is shown beside this map or in its place; nothing: this one alone.
    void setSecond(const std::optional<SecondMap>& second);
    /// "Layer 11 of st-small en-de. Kobayashi norms, pre-LN, over 78 keys. 12 layers in 14 ms."
    QString statusText() const;

    /// Sets the window of the current layer as an undo step of its own; 0: full.
    void applyWindow(int window);
    /// Windows of the layers from 1 on, 0: full, nothing: as it is; one undo step.
    void applyWindows(const std::vector<std::optional<int>>& windows);
    void applyFull() { applyWindow(0); }
    void applyToLayers(int window, int first, int last); ///< as one undo step; window 0: full

    /// A window of the current layer that is dragged or edited in a view of another part (the D(w) plot, the
    /// table). An edit ends the drag.
    void dragElsewhere(int window);
    void edit(int window) { edited(window, m_dragging); }
    /// Imported maps may have attention and no contributions. Null: false.
    static bool isAttentionOnly(const LayerResult* layer);

Q_SIGNALS:
    void refreshed();
    void refused(); ///< an edit; Messages say why
    void windowDragged(int layer, const std::vector<headroom::HeadGroup>& heads); ///< in this frame; from 1, as the drag will leave them

private:
    /// A map that the read-out is of. Borrowed; null where there is none.
    struct ReadMap {
        const OpenModel* model;
        const AnalysisResult* result;
        const MaxPyramid* map;
        MapSource source;
        int layer;
    };
    void connectViews();
    void showMap(const AnalysisResult* result, const LayerResult* layer);
    void showEmptySentence(const AnalysisResult* result);
    QString mapRemark(const LayerResult* layer, MapSource source) const;
    void refreshReadOut();
    ReadOut readOutOf(const ReadMap& map) const;
    void dragged(int window);
    void edited(int window, bool byDrag);
    void setWindow(int window, EditStep step); ///< of the current layer; 0: full
    void writeWindows(const QString& step, const std::vector<LayerWindow>& windows);
    DraftKey draft() const; ///< of the current model
    int draftWindow() const; ///< of the heads that the map is of; 0: full

    Session* m_session;
    AnalysisService* m_analysis;
    widgets::TimeAxis* m_axis;
    Views m_views;
    QTimer m_soon;
    QElapsedTimer m_sinceEdit;
    bool m_dragging = false, m_showsReadOut = true;
    std::optional<SecondMap> m_second;
    ReceptiveField m_field; ///< of m_fieldOf, for the read-out
    Architecture::Encoder m_fieldOf;
    std::shared_ptr<const MaxPyramid> m_shownMap;
    bool m_shownStale = false;
    std::optional<std::pair<DraftKey, int>> m_windowOf; ///< the draft and layer whose window the field shows
};

} // namespace headroom::app
