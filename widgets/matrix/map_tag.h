// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QPainter>
#include <QStringList>
#include <QWidget>

namespace headroom::widgets {

/// Scales `atHundred` pixels (Noto Sans 13 px, 100 %) to the application's font.
double scaledPixels(double atHundred);

/// Formats "0.128": fixed decimals, minus as U+2212, "–" for NaN.
QString number(double value, int decimals);

/// A small dark label on a map: rounded, one or more lines, in map colours (the same in both themes).
struct MapTag {
    struct Line {
        QString text;
        bool bold = false;
    };
    QList<Line> lines;
    QColor edge; ///< border; invalid: default

    bool operator==(const MapTag& other) const;
    QSizeF size() const;
    MapTag within(double width) const; ///< with lines broken between words where one is wider than that
    void paint(QPainter& painter, QPointF topLeft) const;
    /// Returns a position inside `bounds`, right of and below `anchor` by `distance`, flipped if it would not
    /// fit or would cover `spared`.
    QPointF placed(QPointF anchor, double distance, const QRectF& bounds, const QRectF& spared = {}) const;
};

/// A MapTag as the topmost child of a map. Transparent to the mouse and hidden from screen readers (the map's
/// description has the same text).
class MapTagWidget : public QWidget {
    Q_OBJECT

public:
    explicit MapTagWidget(QWidget* parent);
    void show(const MapTag& tag, QPointF topLeft);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    MapTag m_tag;
};

/// Draws a line on a map with a dark casing, so that it is visible on every colour.
void strokeOnMap(QPainter& painter, const QPolygonF& line, const QColor& colour, double width,
                 Qt::PenStyle style = Qt::SolidLine);

} // namespace headroom::widgets
