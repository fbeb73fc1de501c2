// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/head_groups.h"
#include "core/matrix/diagonal_profile.h"
#include "core/matrix/max_pyramid.h"
#include "widgets/look/colour_map.h"
#include "widgets/matrix/band_shape.h"
#include "widgets/matrix/head_strip.h"
#include "widgets/matrix/map_raster.h"

#include <QImage>
#include <QWidget>

#include <memory>
#include <optional>

namespace headroom::widgets {

/// The contents of one layer's small map. A value; the map is shared.
struct ThumbnailState {
    enum class Status {
        Ready,
        Waiting, ///< outline only; `sentence` says why, if known
        Reading, ///< outline with a bar at `progress`
        Failed,  ///< outline with an octagon; `sentence` is its tool tip
    };
    Status status = Status::Waiting;
    std::shared_ptr<const MaxPyramid> map;
    DiagonalProfile profile;
    BandShape shape;     ///< window 0: full
    double progress = 0; ///< 0 … 1
    QString sentence;
    std::optional<double> loss; ///< CL of a block window, which the profile cannot provide
    QString kinds = {}; ///< "block 64 + conv": shown instead of window and CL if a window does not describe
                         ///< the heads
    std::vector<HeadGroup> heads = {}; ///< in their order; empty: not known
    /// Whether `shape` says what the heads see; otherwise `kinds` does.
    bool hasWindow() const;
    QString windowText() const; ///< "full", "masked", "w 21"
};

/// All layers of a model as small maps, four in a row, numbered from 1, each with its heads, its window and CL.
///
/// Click or keys select (arrows, PgUp/PgDn, Home/End); Shift + click or Shift + Enter compares. A click on a head asks for
/// its map, another for that of the layer; Ctrl + ←/→ goes through the heads of the current layer. Reduced maps
/// show the maximum, so a diagonal stays whole. Height follows from width (heightForWidth); use a
/// QScrollArea. Window's thread only.
class LayerThumbnails : public QWidget {
    Q_OBJECT

public:
    explicit LayerThumbnails(QWidget* parent = nullptr);

    void setLayers(std::vector<ThumbnailState> layers);
    void setLayer(int layer, ThumbnailState state); ///< layers from 0 here and in every signal
    /// While a band is dragged: updates lines and CL of one layer without recomputing anything else.
    void setWindow(int layer, const BandShape& shape, const QString& kinds = {}, std::optional<double> loss = std::nullopt);
    void setCurrent(int layer);  ///< −1: none
    void setCompared(int layer); ///< −1: none
    void setHead(int head);      ///< of the current layer, from 0, whose map is looked at; −1: none
    void setColourMap(ColourMap::Name name);
    void setGamma(double gamma);
    void setHideDiagonal(bool hide);
    void setRange(std::optional<ValueRange> range); ///< unset: an individual range for each layer

    int count() const { return static_cast<int>(m_entries.size()); }
    int current() const { return m_current; }
    int compared() const { return m_compared; }
    int head() const { return m_head; }
    double lossOf(int layer) const;     ///< NaN if unknown
    QRect mapRect(int layer) const;     ///< the small map of a layer, logical pixels
    QRect cellRect(int layer) const;    ///< with its heads and its label
    QRectF headRect(int layer, int head) const;
    int layerAt(QPoint position) const; ///< −1: none

    /// Renders the same picture as wide as `target`, without hover and focus.
    void renderTo(QPainter& painter, const QRect& target);

    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void layerSelected(int layer);
    void currentChanged(int layer); ///< by anybody; −1: none
    void layerCompared(int layer); ///< the layer to compare with; −1: none
    /// The map of a head of the current layer is wanted; −1: that of the layer. After layerSelected().
    void headSelected(int head);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool event(QEvent* event) override;

private:
    struct Entry {
        ThumbnailState state;
        ValueRange range;
        Matrix<float> sampled;
        QImage image;
    };
    QRect cell(int layer, int width) const;
    QRect mapIn(const QRect& cell) const;
    void select(int layer);
    void selectHead(int layer, int head);
    HeadStrip stripOf(int layer, const QRect& cell) const;
    void setHovered(QPoint position);
    QString toolTipOf(int layer, int head) const;
    int labelHeight() const; ///< heads, number, window and CL, below the map
    void compare(int layer);
    void forgetPictures(bool samplesToo);
    void updateDescription();
    const QImage& imageOf(Entry& entry, QSize pixels, double pixelRatio);
    void paintLayer(QPainter& painter, int layer, const QRect& cell, bool asOnScreen);
    void paintOutline(QPainter& painter, const ThumbnailState& state, const QRect& map) const;
    void paintLabel(QPainter& painter, int layer, const QRect& cell) const;

    std::vector<Entry> m_entries;
    int m_current = -1, m_compared = -1, m_hovered = -1;
    int m_head = -1, m_hoveredHead = -1;
    bool m_anyHeads = false;
    ColourMap::Name m_colourMap = ColourMap::Name::Magma;
    double m_gamma = 0.5;
    bool m_hideDiagonal = true;
    std::optional<ValueRange> m_range;
    std::optional<ColourTable> m_table;
};

} // namespace headroom::widgets
