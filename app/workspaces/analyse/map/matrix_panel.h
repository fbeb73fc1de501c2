// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/items/analysis.h"
#include "core/architecture/head_groups.h"
#include "widgets/look/colour_map.h"
#include "widgets/time_axis/time_axis.h"

#include <QWidget>

#include <functional>
#include <optional>
#include <vector>

class QCheckBox;
class QComboBox;
class QHBoxLayout;
class QLabel;

namespace headroom::widgets {
class LayerMatrixView;
class RowProfile;
} // namespace headroom::widgets

namespace headroom::app {

class Actions;
class Banner;
class GammaSlider;
class MapField;
class PanelHeader;
class WindowSpin;

/// The map of the current layer: header with its controls, banner when something is wrong, the cursor's row,
/// the matrix. It shows what it is given and emits what the user chose. Window's thread.
class MatrixPanel : public QWidget {
    Q_OBJECT

public:
    MatrixPanel(widgets::TimeAxis* axis, const Actions& actions, QWidget* parent = nullptr);

    widgets::LayerMatrixView* matrix() const { return m_matrix; }
    widgets::RowProfile* rowProfile() const { return m_row; }
    Banner* banner() const { return m_banner; }
    PanelHeader* header() const { return m_header; }
    WindowSpin* windowField() const { return m_window; }
    QComboBox* sourceField() const;
    /// Takes over a widget for a second map, beside the current one and hidden at first.
    void setBeside(QWidget* beside);
    void setBesideVisible(bool visible);
    void setCaptionHeight(int pixels);

    /// The heads that can be chosen, with their kinds' names and glyphs; those that relax at inference before
    /// relaxation too. Keeps the choice where it still exists. `measures`: other measures of mixing can be computed.
    void setHeads(const std::vector<HeadGroup>& groups, bool measures = false);
    void setSource(MapSource source);
    /// Maps that this layer does not have, each with the reason (empty: it has the map). They cannot be chosen.
    void setMissing(const std::function<QString(const MapSource&)>& whyNot);
    void setColourMap(widgets::ColourMap::Name name);
    widgets::ColourMap::Name colourMap() const;
    void setGamma(double gamma);
    double gamma() const;
    /// What the header says beside "Layer 11": "from before the worker stopped".
    void setRemark(const QString& remark);
    void setLayer(int layer, int layers);   ///< of so many; 0: none
    void setModelName(const QString& name); ///< over the current map while another is beside it
    /// Over the current map while another stands in its place: whose it is. Empty: its own name again.
    void setInPlaceName(const QString& name);

Q_SIGNALS:
    void besideShown(bool shown);
    void sourceChosen(headroom::app::MapSource source);
    void windowEntered(int window); ///< 0: full
    void coloursChanged();          ///< colour map or gamma

private:
    void addControls(const Actions& actions);
    void applyColours();
    void showCaption();
    void addSource(const MapSource& source, const QString& text, std::optional<HeadKind> kind = {});
    void setShortName(const QString& name); ///< of the source that was added last
    PanelHeader* m_header;
    Banner* m_banner;
    std::vector<HeadGroup> m_groups;
    bool m_measures = false;
    std::vector<MapSource> m_sources; ///< of the rows of m_source
    MapField* m_source;
    QComboBox* m_colours;
    WindowSpin* m_window;
    GammaSlider* m_gamma;
    widgets::RowProfile* m_row;
    widgets::LayerMatrixView* m_matrix;
    QWidget* m_captionRow;
    QLabel* m_caption;
    QHBoxLayout* m_maps; ///< the current map, then the one beside it
    QWidget* m_beside = nullptr;
    int m_layer = 0;
    QString m_modelName, m_inPlaceName;
};

/// Height in pixels of the line over each of two maps that stand beside each other.
int mapCaptionHeight();

} // namespace headroom::app
