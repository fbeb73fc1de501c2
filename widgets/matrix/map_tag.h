// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QPainter>
#include <QStringList>
#include <QWidget>

namespace headroom::widgets {

/// `atHundred` pixels of the mock-ups (Noto Sans 13 px, 100 %) at the application's font scale.
double scaledPixels(double atHundred);

/// "0.128": so many decimals, minus as U+2212, "–" for NaN.
QString number(double value, int decimals);

/// A small dark label on a map: rounded, one line each, in the colours of maps (the same in both themes).
struct MapTag {
    struct Line {
        QString text;
        bool bold = false;
    };
    QList<Line> lines;
    QColor edge; ///< border; invalid: a quiet one

    bool operator==(const MapTag& other) const;
    QSizeF size() const;
    void paint(QPainter& painter, QPointF topLeft) const;
    /// A place for it inside `bounds`, right of and below `anchor` by `distance`, flipped where it would not
    /// fit.
    QPointF placed(QPointF anchor, double distance, const QRectF& bounds) const;
};

/// A MapTag as the uppermost child of a map; lets the mouse through and is silent for screen readers (the
/// map's description says the same).
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

/// A line on a map with its dark casing, so that it shows on every colour.
void strokeOnMap(QPainter& painter, const QPolygonF& line, const QColor& colour, double width,
                 Qt::PenStyle style = Qt::SolidLine);

} // namespace headroom::widgets
