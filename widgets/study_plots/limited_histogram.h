// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/curves/plot_frame.h"

#include <QString>

#include <cstdint>
#include <memory>
#include <vector>

namespace headroom::widgets {

/// A histogram on a logarithmic axis with two limits, drawn as lines with a grip: what lies outside has
/// another ground and its number. Drag a line, or choose it with ↑/↓ and move it with ←/→ (Shift: ten steps).
/// Esc takes the limits back. Window's thread.
class LimitedHistogram : public PlotFrame {
    Q_OBJECT

public:
    enum class Limit { Least, Most };
    struct Content {
        QString title;                    ///< for screen readers
        QString xName;                    ///< below the axis: "length of the utterance, s"
        std::vector<std::int64_t> counts; ///< bin i: i · width ≤ x < (i + 1) · width
        double width = 0.5;
    };
    explicit LimitedHistogram(QWidget* parent = nullptr);
    ~LimitedHistogram() override;

    void setContent(Content content);
    /// Emits no signal. `step`: by how much an arrow key moves a limit, and the grid that a drag snaps to. `most` infinite: there
    /// are no limits; none is drawn or moved.
    void setLimits(double least, double most, double step);
    /// Emits no signal. Otherwise the line of the longest stands without a grip.
    void setMostMovable(bool movable);
    double limit(Limit which) const;
    /// What stands above the plot: "left out: 384 too long, 3.8 h"; empty: nothing.
    void setNote(const QString& note);
    /// Where a limit is drawn, in pixels of this widget: at the edge if it lies beyond the axis.
    double pixelOf(Limit which) const;

Q_SIGNALS:
    void limitMoved(headroom::widgets::LimitedHistogram::Limit which, double value); ///< while dragging too
    void takeBackRequested();

protected:
    void redraw() override;
    bool event(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    bool isMovable(Limit which) const;
    void move(Limit which, double value);
    bool isNear(Limit which, double x) const;
    struct Private;
    std::unique_ptr<Private> m;
};

} // namespace headroom::widgets
