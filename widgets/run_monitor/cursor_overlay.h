// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointF>
#include <QRect>
#include <QString>
#include <QStringList>
#include <QWidget>

#include <functional>
#include <optional>
#include <vector>

namespace headroom::widgets {

/// What is shown over a plot at the pointer.
struct CursorReading {
    struct Row {
        int style;     ///< runPen()
        QString value; ///< "1.256 (1 of 2 seeds)"
        QStringList narrow; ///< the same in lines, for where that is too wide: "1.256", "1 of 2 seeds"
        QPointF point; ///< on the curve; outside the frame: not drawn
    };
    QRect frame;   ///< of the plot, in the overlay's pixels
    double x = -1; ///< of the dashed line
    bool isLineShown = false;
    QString head;          ///< "update 31,000"
    std::vector<Row> rows; ///< empty: nothing is drawn
    /// Whether a box, in the overlay's pixels, would lie on a curve; null: none would.
    std::function<bool(const QRectF&)> isOnCurve;
};

/// The dashed line, the points on the curves and, where it fits and covers none of them, the box of values. A child above the plot, so that moving
/// the pointer repaints only this. Transparent to the mouse.
class CursorOverlay : public QWidget {
    Q_OBJECT

public:
    explicit CursorOverlay(QWidget* parent);
    void setReading(CursorReading reading);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QSizeF boxSize(bool narrow) const;
    std::optional<QRectF> boxIn(const QRectF& room, QSizeF size) const;
    CursorReading m_reading;
};

} // namespace headroom::widgets
