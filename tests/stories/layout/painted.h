// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QRectF>
#include <QString>
#include <QVector>

#include <map>
#include <vector>

class QWidget;

namespace headroom::testing {

/// One run of text as a widget painted it, in the widget's logical coordinates.
struct PaintedText {
    QString text;
    QRectF ink;     ///< around the letters' shapes, after rotation
    QRectF clip;    ///< the painter's clip, else the widget's rectangle
    QColor colour;  ///< of the pen, times the painter's opacity
    int order = 0;  ///< position among everything that was painted
    bool rotated = false;

    bool isElided() const { return text.contains(QChar(0x2026)); }
    /// Pixels of the letters that lie outside the clip: horizontally or vertically, whichever is more.
    double cut() const;
};

/// A line of many points: a curve, not a tick or a grid line.
struct PaintedCurve {
    std::vector<QPointF> points;
    QColor colour;
    int order = 0;
};

/// A small filled or outlined shape: a point of a plot.
struct PaintedMarker {
    QRectF rect;
    int order = 0;
};

/// An opaque rectangle or rounded box.
struct PaintedGround {
    QRectF rect;
    int order = 0;
};

struct Painted {
    std::vector<PaintedText> texts;
    std::vector<PaintedCurve> curves;
    std::vector<PaintedGround> grounds;
    std::vector<PaintedMarker> markers;
};

/// What a widget paints, without its children: it is rendered to a device that takes notes instead of setting
/// pixels. A QCustomPlot, which paints into buffers of its own, is asked for its vectors. Window's thread.
Painted paintedBy(QWidget* widget);

/// The same of all widgets of a window that can be seen whole, in one pass. For each widget that is rendered alone Qt visits all
/// of the window first: two fifths of the processor time of a layout test.
using PaintedWidgets = std::map<const QWidget*, Painted>;
PaintedWidgets paintedIn(QWidget* window);

} // namespace headroom::testing
