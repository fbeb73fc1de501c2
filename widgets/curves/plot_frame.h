// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/curves/curve_key.h"

#include <QSize>
#include <QWidget>

#include <vector>

class QCustomPlot;

namespace headroom::widgets {

/// A QCustomPlot in Headroom's frame: panel background, focus ring, redrawn when size, theme or font change,
/// exported by the same code that draws it. The widget handles mouse and keyboard; the plot does not.
///
/// The key of the curves stands under the plot, in rows that wrap, and in a figure. Where several plots share one, it
/// is shown by a CurveKey outside them: setKeyOutside().
///
/// Subclasses draw everything in redraw() and call it at the end of their constructor. Window's thread only.
class PlotFrame : public QWidget {
    Q_OBJECT

public:
    /// Preferred and minimum size in Sizes::unit().
    PlotFrame(QSize preferredUnits, QSize leastUnits, QWidget* parent);

    void renderTo(QPainter& painter, const QRect& target);
    /// As large as on the screen, but at least as high as preferred, with all the rows that the key needs below; wider where a
    /// name or the title is.
    QSize figureSize() const;

    /// The key is not drawn on screen: somebody else shows keyEntries().
    void setKeyOutside(bool outside);
    const std::vector<KeyEntry>& keyEntries() const { return m_key; }
    QRect keyRect(int id) const; ///< the entry with this id in the key under the plot; empty if there is none

    void setLeastHeight(int units); ///< of Sizes::unit(), instead of the kind's own: what stands below needs the room
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void keyChanged();

protected:
    /// To be called by redraw() before it lays out axes: the plot gives its key the rows that it needs.
    void setKey(std::vector<KeyEntry> entries);

    /// How wide the title under the axes is where it is whole, as in a figure. To be called by redraw().
    void setTitleWidth(double pixels) { m_titleWidth = pixels; }

    QCustomPlot* plot() const { return m_plot; }
    bool inFigure() const { return m_rendering; } ///< what redraw() draws is a figure
    virtual void redraw() = 0;

    bool event(QEvent* event) override; ///< the whole names of a key that elides them
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void layOut(QSize size);
    QRect inner() const;               ///< the widget without its focus ring
    QSize withoutKey(QSize size) const; ///< what the key leaves of it
    int keyHeight(int width) const;     ///< of all its rows under a plot of this width
    int figureRows() const;
    int figureWidth() const;
    QPointF keyCorner(QSize plot) const;

    QCustomPlot* m_plot;
    QSize m_preferred, m_least;
    std::vector<KeyEntry> m_key;
    double m_titleWidth = 0;
    bool m_keyOutside = false, m_rendering = false;
};

} // namespace headroom::widgets
