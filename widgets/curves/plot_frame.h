// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSize>
#include <QWidget>

class QCustomPlot;

namespace headroom::widgets {

/// A QCustomPlot in Headroom's frame: panel background, focus ring, redrawn when size, theme or font change,
/// exported by the same code that draws it. The widget handles mouse and keyboard; the plot does not.
///
/// Subclasses draw everything in redraw() and call it at the end of their constructor. Window's thread only.
class PlotFrame : public QWidget {
    Q_OBJECT

public:
    /// Preferred and minimum size in Sizes::unit().
    PlotFrame(QSize preferredUnits, QSize leastUnits, QWidget* parent);

    void renderTo(QPainter& painter, const QRect& target);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    QCustomPlot* plot() const { return m_plot; }
    virtual void redraw() = 0;

    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void layOut(QSize size);

    QCustomPlot* m_plot;
    QSize m_preferred, m_least;
};

} // namespace headroom::widgets
