// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/time_axis/time_axis.h"

#include <QPointer>
#include <QWidget>

namespace headroom::widgets {

/// Base of everything drawn on the time axis: two fixed gutters (Metrics::gutter), the plot between them, and the one
/// conversion between seconds and pixels. Lanes stacked in one column share their left and right pixel at every zoom.
///
/// Mouse, as in the whole house: wheel scrolls, Ctrl + wheel (and Shift + wheel) zooms time at the pointer, middle drag pans, moving sets the
/// axis's pointer, leaving clears it, click sets the cursor; drag selects where the lane says so. Subclasses paint their
/// content in paintLane() and must not paint the overlay (selection, pointer, cursor): the base does, above it.
/// A lane works without an axis (it shows its empty state). Window's thread only.
class TimeLane : public QWidget {
    Q_OBJECT

public:
    explicit TimeLane(QWidget* parent = nullptr);

    void setAxis(TimeAxis* axis); ///< borrowed; may be null
    TimeAxis* axis() const { return m_axis; }

    QRectF plotRect() const;              ///< the plot between the gutters, logical pixels
    double xOf(Seconds time) const;       ///< may lie outside plotRect
    Seconds timeAt(double x) const;       ///< not clamped

protected:
    /// The lane's own content. `painter` has antialiasing on; clip to plotRect() where needed.
    virtual void paintLane(QPainter& painter) = 0;
    /// Whether a drag selects (sound lanes do, the matrix does not).
    virtual bool dragSelects() const { return true; }
    /// Where a selected bound snaps to, within 6 px; the time itself where there is nothing near.
    virtual Seconds snapped(Seconds time) const { return time; }

    void paintEvent(QPaintEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    QPointer<TimeAxis> m_axis;
    std::optional<Seconds> m_dragStart;
    std::optional<double> m_panFrom;
};

} // namespace headroom::widgets
