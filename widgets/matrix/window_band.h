// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/matrix/diagonal_profile.h"
#include "widgets/matrix/band_shape.h"
#include "widgets/matrix/map_tag.h"

#include <QMenu>
#include <QWidget>

class QHelpEvent;

namespace headroom::widgets {

/// The window of a layer as a band on its map: two lines that can be dragged, typed and stepped.
///
/// A transparent widget over the map; the mouse passes through except near a line or handle. A window is an
/// odd number of tokens (block-local: a multiple of 3); 0 means full. CL comes from the diagonal profile
/// (block windows: from prefix sums) while painting. The band changes its own window on an edit and emits it;
/// the owner may set another. Window's thread only.
class WindowBand : public QWidget {
    Q_OBJECT

public:
    explicit WindowBand(QWidget* parent = nullptr);

    /// `mapping` in this widget's pixels (the map's plot is usually rect()). The owner repaints: a moving map
    /// repaints the band anyway, and an extra update would paint both twice.
    void setMapping(const MatrixMapping& mapping);
    void setProfile(DiagonalProfile profile);
    void setBlockLoss(BlockLoss loss); ///< needed for block windows only
    void setKind(BandShape::Kind kind);
    void setWindow(int window);          ///< 0: full. Cancels an edit in progress.
    /// `window`: what Algorithm 1 finds, 0: none. `staysFull`: its mean CL over the utterances, `meanLoss`, is too
    /// much, so full is suggested; its line can be dragged all the same. `ofSeveral`: utterances, else of one alone.
    void setSuggestedWindow(int window, bool staysFull = false, double meanLoss = 0, bool ofSeveral = true);
    /// "block 64 + conv": shown instead of window and CL if a window does not describe the heads. While one is dragged, of the heads
    /// that the layer would get: not all of them take a window.
    void setKinds(const QString& kinds);
    /// "head 4": what the profile is of, said before its CL; empty where every CL on the screen is of the same. The next
    /// setProfile() shows it.
    void setMeasured(const QString& of) { m_measured = of; }
    QString kinds() const { return m_kinds; }
    QString measured() const { return m_measured; }
    /// Over which utterances Algorithm 1 found it, for a caption: "over 4 open utterances"; empty: the one on the map alone.
    void setSuggestedOver(const QString& over) { m_suggestedOver = over; }
    /// The same for the tag, where another map's suggestion is over others; empty: both have one basis.
    void setOtherBasis(const QString& over) { m_otherBasis = over; }
    /// The band of another map that stands in place of this one (blinking): only its lines and its tag are painted, and nothing can be
    /// edited. Borrowed; null: this map's own window again.
    void setInPlace(const WindowBand* other);
    const WindowBand& drawn() const { return m_inPlace ? *m_inPlace : *this; } ///< the band that setInPlace() shows
    /// The map is a difference, A − B, and the band that of B: it neither suggests nor has a tag unless its lines are at hand.
    void setOfDifference(bool isDifference) {
        m_ofDifference = isDifference;
        update();
    }
    void setBandVisible(bool visible); ///< the box "Window": off hides the lines and ignores the mouse
    bool isBandVisible() const { return m_visible; }

    int window() const { return m_window; }
    int suggestedWindow() const { return m_suggestsFull ? 0 : m_suggested; }
    int foundWindow() const { return m_suggested; } ///< by Algorithm 1, also where full is suggested; 0: none
    double foundLoss() const { return m_suggestedLoss; }
    QString suggestedOver() const { return m_suggestedOver; }
    /// The window shown: the one being dragged, otherwise window().
    int shownWindow() const { return m_dragged.value_or(m_window); }
    bool isDragging() const { return m_dragged.has_value(); }
    bool isHovered() const { return m_hovered; }
    BandShape shape() const { return {m_kind, shownWindow()}; }
    /// Whether all heads have this window: kinds() tells of others. Heads that are all masked without one are such a kind, too.
    bool isOfAllHeads() const { return m_kinds.isEmpty() || (m_kind == BandShape::Kind::Masked && shownWindow() <= 0); }
    /// Returns CL of a window of this band's kind; 0 for full, that of the mask where it is masked, NaN without a profile.
    double lossOf(int window) const;
    /// Returns the centres of the two handles: upper right, lower left of the diagonal; twice the lower one where
    /// the heads are masked. Null points if there is no line to drag.
    std::pair<QPointF, QPointF> grips() const;
    MapTag tag() const;
    MapTag shownTag() const; ///< the part of it that a small map has room for
    QRectF tagRect() const;  ///< where it stands; empty: it is not shown
    QString tipAt(QPointF point) const; ///< the whole of a tag that is shown in part; empty elsewhere

    /// Paints the band at rest with another mapping, for export.
    void renderTo(QPainter& painter, const MatrixMapping& mapping) const;
    QMenu* createMenu(); ///< full, suggested, apply to layers…; owned by the caller

Q_SIGNALS:
    void windowDragged(int window); ///< during a drag; the old window again if Esc was pressed
    void windowEdited(int oldWindow, int newWindow); ///< once per edit; the two numbers always differ
    void applyToLayersRequested(int window);
    void hoveredChanged(bool hovered);
    void tagMoved(); ///< tagRect() is another, which was just painted

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
    double distanceToLines(QPointF point) const; ///< to the nearer line that can be dragged; infinite if there is none
    bool isNear(QPointF point) const;
    bool editable() const;
    /// The shape whose lines can be dragged: the window, otherwise the suggestion.
    BandShape graspable() const;
    void setHovered(bool hovered);
    void setMouse(std::optional<QPointF> mouse);
    void refreshEditable(); ///< after a change of what can be edited
    void commit(int window);
    void cancelDrag();
    void endDrag();
    void step(int by);
    bool typeKey(const QKeyEvent& event);
    void updateDescription();
    void paintGrip(QPainter& painter, QPointF centre, bool filled) const;
    void paintDragged(QPainter& painter) const;
    bool showTip(const QHelpEvent& event);
    QRectF restingTag(const MapTag& tag) const; ///< where it stands while no line is near
    bool hidesTag() const;                      ///< a full layer's, while the mouse looks at what is under it

    MatrixMapping m_mapping;
    DiagonalProfile m_profile;
    BlockLoss m_blockLoss;
    BandShape::Kind m_kind = BandShape::Kind::Centred;
    int m_window = 0, m_suggested = 0;
    bool m_suggestsFull = false;
    double m_suggestedLoss = 0;
    bool m_suggestedOfSeveral = true;
    bool m_visible = true, m_hovered = false;
    double m_anchor =
        -1; ///< token index on the diagonal where the grips stand; < 0: in the middle of what is visible
    const WindowBand* m_inPlace = nullptr;
    bool m_ofDifference = false;
    std::optional<int> m_dragged;
    std::optional<double> m_grabbed; ///< tokens between the pressed point and its line
    std::optional<QPointF> m_mouse; ///< over the map
    QRectF m_paintedTag;
    QString m_typed, m_kindsBefore, m_kinds, m_measured, m_suggestedOver, m_otherBasis;
};

} // namespace headroom::widgets
