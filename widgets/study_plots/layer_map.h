// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/matrix/matrix.h"

#include <QString>
#include <QWidget>

#include <optional>

namespace headroom::widgets {

/// A number from 0 to 1 for every pair of layers, as a map with a scale from scaleStart() to 1: rows and columns are layers from 0, the input
/// of layer 1. The cell under the mouse, or the one chosen by a click or the arrow keys, is described below the map.
/// Window's thread.
class LayerMap : public QWidget {
    Q_OBJECT

public:
    struct Content {
        Matrix<double> values; ///< [rows, columns]; NaN: undefined
        QString measure;       ///< "CKA"
        QString rows, columns; ///< the models whose layers they are; both empty: of one model
    };
    struct Cell {
        int row = 0, column = 0;
        bool operator==(const Cell&) const = default;
    };
    explicit LayerMap(QWidget* parent = nullptr);

    void setContent(Content content);
    /// The nearest round value that is not above the smallest one: 0.98 for 0.983, 0.6 for 0.65; 0 without a value below 1.
    double scaleStart() const;
    /// The numbers beside the colours from below: the start, the middle, 1. All have as many digits.
    QStringList scaleLabels() const;
    std::optional<Cell> cellAt(QPointF position) const;
    /// "Layer 3 and layer 5: CKA 0.912", "Layer 3 of asr-small and layer 5 of asr: CKA 0.912".
    QString describe(Cell cell) const;
    /// Paints the map without the cell that is pointed at or chosen, its scale and what the axes are.
    void renderTo(QPainter& painter, const QRect& target) const;
    QSize figureSize() const; ///< with all lines of what the axes are: a figure has no tool tip

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    QRectF mapRect(QSizeF room) const;
    QRectF cellRect(Cell cell, QSizeF room) const;
    /// What lines below the first need where the axes are named in full.
    double moreLines(double width) const;
    /// `shown`: the cell that is described; none: the axes are. `more`: room below `room` for further lines.
    void paint(QPainter& painter, QSizeF room, std::optional<Cell> shown, double more) const;
    void point(std::optional<Cell> cell);
    void choose(Cell cell);

    Content m_content;
    std::optional<Cell> m_pointed, m_chosen;
};

} // namespace headroom::widgets
