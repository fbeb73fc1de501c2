// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/time_axis/time_axis.h"

#include <QPointer>
#include <QWidget>

namespace headroom::widgets {

/// Base of everything drawn on the time axis: two fixed gutters (Sizes::gutter), the plot between them, and
/// the one conversion between seconds and pixels. Lanes in one column share their left and right pixel at
/// every zoom.
///
/// Mouse:
/// - wheel scrolls; Ctrl + wheel (and Shift + wheel) zooms time at the pointer; middle drag pans;
/// - moving sets the axis's pointer, leaving clears it;
/// - a click sets the cursor and clears a selection it is outside of;
/// - a drag selects if the lane allows it; near a bound of the selection it moves that bound; Esc cancels a
///   drag; Alt disables snapping.
///
/// Subclasses paint their content in paintLane(); the base paints the overlay (selection, pointer, cursor)
/// above it. Works without an axis (shows its empty state). Window's thread only.
class TimeLane : public QWidget {
    Q_OBJECT

public:
    explicit TimeLane(QWidget* parent = nullptr);

    virtual void setAxis(TimeAxis* axis); ///< borrowed; may be null
    TimeAxis* axis() const { return m_axis; }

    QRectF plotRect() const;        ///< the plot between the gutters, logical pixels
    double xOf(Seconds time) const; ///< may lie outside plotRect
    Seconds timeAt(double x) const; ///< not clamped

    /// The height of a figure of the lane: that on the screen, unless the lane is scrolled there.
    virtual int figureHeight() const { return height(); }
    /// Renders the lane as on screen (background, content, selection; without pointer, focus ring and
    /// handles) into `target` with QPainter alone: text stays text in SVG and PDF. The visible range is the
    /// axis's.
    void renderTo(QPainter& painter, const QRect& target);

protected:
    /// Paints the lane's content. `painter` has antialiasing on; clip to plotRect() if needed. Use
    /// laneRect(), not rect(), because an export has a different size than the widget.
    virtual void paintLane(QPainter& painter) = 0;
    /// Selection, pointer and cursor, in the plot. The matrix paints its own.
    virtual void paintOverlay(QPainter& painter);
    /// Whether a drag selects (sound lanes do, the matrix does not).
    virtual bool dragSelects() const { return true; }
    /// Whether the selection's two bounds show a handle here; one lane of a column does.
    virtual bool showsSelectionGrips() const { return false; }
    /// Whether the selection is tinted. A lane whose colours stand for values shows the bounds only.
    virtual bool tintsSelection() const { return true; }
    /// Returns where a selected bound snaps to: the axis's snap bound within 6 px, otherwise the time itself.
    virtual Seconds snapped(Seconds time) const;
    /// Returns where a click puts the cursor; maps return the token's centre.
    virtual Seconds cursorFor(Seconds time) const { return time; }

    /// The axis's cursor changed; the strip below its line is already being repainted.
    virtual void cursorMoved() {}

    /// For minimumSizeHint(): with text of 125 %, the lanes of two maps and all panels fit beside each other into 1280 pixels.
    static int leastWidth();
    QRect laneRect() const; ///< (0, 0, width, height) of the widget, or of the export being drawn
    bool isExporting() const { return m_exportSize.has_value(); }
    /// Device pixels per logical pixel of the paint device; 3 for export, which is finer than the screen.
    double pixelRatio(const QPainter& painter) const;
    bool hasSound() const; ///< there is an axis with an open recording
    /// The lines left, right and below the plot, on whole pixels.
    void paintFrame(QPainter& painter) const;
    /// Paints a message in the middle of the plot, for an empty lane.
    void paintEmpty(QPainter& painter, const QString& sentence) const;

    void paintEvent(QPaintEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    std::optional<Seconds> selectionBoundAt(double x) const; ///< the OTHER bound, which stays where it is
    Seconds snappedUnlessFree(Seconds time, Qt::KeyboardModifiers modifiers) const;
    void updateLine(std::optional<Seconds> before, std::optional<Seconds> now);

    QPointer<TimeAxis> m_axis;
    std::optional<QSize> m_exportSize;
    std::optional<QPointF> m_pressedAt;  ///< left button is down
    std::optional<Seconds> m_dragStart;  ///< a selection is being dragged from here
    std::optional<Seconds> m_movedBound; ///< the press was on a bound; this is the other one
    std::optional<TimeSpan> m_selectionBefore;
    std::optional<double> m_panFrom;
    std::optional<Seconds> m_cursorDrawn, m_pointerDrawn;
    bool m_hasKeyboardFocus = false;
};

} // namespace headroom::widgets
