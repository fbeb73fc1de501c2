// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/matrix/diagonal_profile.h"
#include "widgets/matrix/band_shape.h"
#include "widgets/matrix/map_tag.h"

#include <QMenu>
#include <QWidget>

namespace headroom::widgets {

/// The window of a layer as a band on its map: two lines that are dragged, typed and stepped. See style.md
/// §6.
///
/// A transparent widget over the map; the mouse goes through wherever no line or grip is near. A window is an
/// odd number of tokens (block-local: a multiple of 3), 0 means full. The contribution loss is read from the
/// diagonal profile (block windows: from prefix sums) while painting, never asked from outside. The band
/// changes its own window on an edit and says so; the owner may set another. Window's thread only.
class WindowBand : public QWidget {
    Q_OBJECT

public:
    explicit WindowBand(QWidget* parent = nullptr);

    /// `mapping` in this widget's own pixels (the map's plot is usually rect()). The owner repaints: a map
    /// that moves is painted anyway and the band with it; an update of its own would paint both twice.
    void setMapping(const MatrixMapping& mapping);
    void setProfile(DiagonalProfile profile);
    void setBlockLoss(BlockLoss loss); ///< needed for block windows only
    void setKind(BandShape::Kind kind);
    void setWindow(int window);          ///< 0: full. An edit in progress is dropped.
    void setSuggestedWindow(int window); ///< 0: none
    /// "block 64 + conv": said instead of window and CL where a window does not say what the heads see.
    void setKinds(const QString& kinds);
    QString kinds() const { return m_kinds; }
    void setBandVisible(bool visible); ///< the box "Window": off hides lines and takes no mouse
    bool isBandVisible() const { return m_visible; }

    int window() const { return m_window; }
    int suggestedWindow() const { return m_suggested; }
    /// What the lines show now: the window, or the one being dragged.
    int shownWindow() const { return m_dragged.value_or(m_window); }
    bool isDragging() const { return m_dragged.has_value(); }
    bool isHovered() const { return m_hovered; }
    BandShape shape() const { return {m_kind, shownWindow()}; }
    /// CL of a window of this band's kind; 0 for full, NaN without a profile.
    double lossOf(int window) const;
    /// The two grips' centres: upper right, lower left of the diagonal. Null points where there is no line.
    std::pair<QPointF, QPointF> grips() const;
    MapTag tag() const;

    /// Paints the band at rest with another mapping: the export.
    void renderTo(QPainter& painter, const MatrixMapping& mapping) const;
    QMenu* createMenu(); ///< full, suggested, apply to layers…; the caller owns it

Q_SIGNALS:
    void windowDragged(int window); ///< while dragging; the old window again where Esc was pressed
    void windowEdited(int oldWindow, int newWindow); ///< once per edit, never with two equal numbers
    void applyToLayersRequested(int window);
    void hoveredChanged(bool hovered);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void leaveEvent(QEvent* event) override;
    bool event(QEvent* event) override;

private:
    int largest() const; ///< the window that covers everything
    int snapped(double tokensFromDiagonal) const;
    double edgeOffset(int window) const; ///< tokens between the diagonal and a line
    double offsetAt(QPointF point) const;
    bool isNear(QPointF point) const;
    bool editable() const;
    /// The shape whose lines can be taken: the window, else the suggestion.
    BandShape graspable() const;
    void setHovered(bool hovered);
    void commit(int window);
    void cancelDrag();
    void endDrag();
    void step(int by);
    bool typeKey(const QKeyEvent& event);
    void updateDescription();
    void paintGrip(QPainter& painter, QPointF centre, bool filled) const;
    void paintDragged(QPainter& painter) const;

    MatrixMapping m_mapping;
    DiagonalProfile m_profile;
    BlockLoss m_blockLoss;
    BandShape::Kind m_kind = BandShape::Kind::Centred;
    int m_window = 0, m_suggested = 0;
    bool m_visible = true, m_hovered = false;
    double m_anchor =
        -1; ///< token index on the diagonal where the grips stand; < 0: in the middle of what is visible
    std::optional<int> m_dragged;
    std::optional<double> m_grabbed; ///< tokens between the pressed point and its line
    QString m_typed, m_kinds;
};

} // namespace headroom::widgets
