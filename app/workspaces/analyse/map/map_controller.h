// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/session.h"
#include "app/jobs/analysis_service.h"
#include "app/workspaces/analyse/common/controller.h"
#include "widgets/look/colour_map.h"
#include "widgets/matrix/band_shape.h"
#include "widgets/matrix/map_raster.h"
#include "widgets/time_axis/time_axis.h"

#include <QObject>

#include <optional>
#include <vector>

class QMainWindow;

namespace headroom::widgets {
class LayerMatrixView;
class TimeLane;
class WindowBand;
struct MapNames;
} // namespace headroom::widgets

namespace headroom::app {

class Actions;
class ChecksPanel;
class Dock;
class LayersPanel;
class MapBanner;
class MapPresenter;
class MatrixPanel;
class PanelHeader;
class ReadOutPanel;
struct SecondMap;

/// The map of the current layer and what stands around it: the matrix, the small maps of all layers, the
/// read-out at the cursor and the checks. Owns these panels and their docks, keeps them true, and turns a
/// window that is drawn, stepped, typed or suggested into one edit of the draft. Window's thread.
class MapController : public Controller {
    Q_OBJECT

public:
    /// Everything borrowed. `window`: the docks' window.
    struct Parts {
        Session* session;
        AnalysisService* analysis;
        WorkerProcess* worker;
        const Actions* actions;
        widgets::TimeAxis* axis;
        QMainWindow* window;
    };
    explicit MapController(const Parts& parts, QObject* parent = nullptr);

    // What the workspace places.
    QWidget* panel() const;
    struct Docks {
        Dock *layers = nullptr, *readOut = nullptr, *checks = nullptr;
    };
    const Docks& docks() const { return m_docks; }
    void focusMap();
    /// Read-out and checks, which what stands in this map's place fills from now on, until they are taken back.
    struct Lent {
        ReadOutPanel* readOut = nullptr;
        ChecksPanel* checks = nullptr;
        PanelHeader* checksHeader = nullptr;
    };
    Lent lend();
    void takeBack();

    void refresh();     ///< everything, now
    void refreshSoon(); ///< at the next turn of the event loop; many calls are one
    bool isPending() const override;
    /// "Layer 11 of st-small en-de. Kobayashi norms, pre-LN, over 78 keys. 12 layers in 14 ms."
    QString statusText() const;
    /// "contributions", or "attention" where an imported map has nothing else.
    QString measuredText() const;

    // Windows that are drawn or suggested elsewhere. Layers from 1; 0: full.
    void drag(int window); ///< of the current layer, not yet in the draft
    void edit(int window); ///< of the current layer; ends a drag
    widgets::WindowBand* band() const; ///< to be told what is suggested for the current layer
    void applyWindow(int window); ///< to the current layer; one undo step
    void applyWindows(const std::vector<std::optional<int>>& windows); ///< one undo step; nothing: as it is

    // A second map, beside this one or in its place.
    /// Takes `second` over and hides it.
    void setBeside(QWidget* second);
    void setBesideVisible(bool visible);
    void setCaptionHeight(int pixels); ///< of the line over the first map, so that both begin level
    /// Both show the same queries while they are on one axis.
    void linkQueries(widgets::LayerMatrixView* second);
    /// Draws another map in this one's place, and its title above it; `window` is its own band, not null with a map, which the
    /// cursor's row is measured against. Null: this one again.
    void showInPlace(const std::shared_ptr<const MaxPyramid>& map, const TokenClock& clock,
                     const widgets::MapNames& names, const widgets::WindowBand* window);
    void setSecond(const std::optional<SecondMap>& second); ///< for the read-out; nothing: no other map is shown
    /// The colour range of this map alone; nothing where no map is shown.
    std::optional<widgets::ValueRange> ownRange() const;
    void setRange(std::optional<widgets::ValueRange> range); ///< nothing: its own
    void setComparedLayer(int layer);                        ///< marks a small map; 0: none
    void showDragged(int layer, const std::vector<HeadGroup>& heads); ///< on a small map; as the drag will leave them
    widgets::ColourMap::Name colourMap() const;
    double gamma() const;

    /// For a picture: the cursor's row and the matrix, from top to bottom.
    QList<widgets::TimeLane*> lanes() const;
    /// Of the current map, its model, window and colours: the line below a figure.
    const widgets::LayerMatrixView& drawnMap() const;

    /// The keys "hideDiagonal", "showWindow", "linkAxes", "equalAxes", "gamma" and "colourMap" of the
    /// session's view.
    void saveView(nlohmann::json& view) const override;
    void restoreView(const nlohmann::json& view) override;

Q_SIGNALS:
    void refreshed();
    void windowDragged(int layer, const std::vector<headroom::HeadGroup>& heads); ///< as of MapPresenter
    void layerCompared(int layer);             ///< a small map was chosen for comparison, from 1; 0: none
    void coloursChanged();
    void besideShown(bool shown);
    void alignmentsRequested(); ///< a check leads to what was found in the alignment

private:
    void makeDocks();
    void connectActions();
    void connectViews();
    void showDetails();
    void askForLayers(int window);

    Parts m_parts;
    MatrixPanel* m_matrix;
    LayersPanel* m_layers;
    ReadOutPanel* m_readOut;
    ChecksPanel* m_checks;
    Docks m_docks;
    MapPresenter* m_presenter;
    MapBanner* m_banner;
    bool m_lent = false; ///< see lend()
};

} // namespace headroom::app
