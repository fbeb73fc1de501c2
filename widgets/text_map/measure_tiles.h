// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/matrix/max_pyramid.h"
#include "widgets/look/colour_map.h"

#include <QImage>
#include <QWidget>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace headroom::widgets {

/// One measure of the same map.
struct MeasureTile {
    QString title, toolTip;
    QString note;     ///< at the right of the title: "71 %"
    QString sentence; ///< in the outline where there is no map: what it needs, or that it is computed
    std::shared_ptr<const MaxPyramid> map; ///< [rows, columns]; null: an outline
    bool operator==(const MeasureTile&) const = default;
};

/// One map as several measures see it, side by side in columns of three. All have one rule of colour: 0 … the 99th percentile
/// of each; reduced maps show the maximum. Two lines mark the rows of the current word.
///
/// A click chooses a measure. Arrow keys move a frame, which is nothing but a place; Enter or Space chooses what is in it.
/// Window's thread.
class MeasureTiles : public QWidget {
    Q_OBJECT

public:
    explicit MeasureTiles(QWidget* parent = nullptr);

    void setTiles(std::vector<MeasureTile> tiles);
    /// The measure that is shown, −1: none. The frame goes there if it is another one than before.
    void setCurrent(int tile);
    void setMarkedRows(std::optional<std::pair<int, int>> rows); ///< [first, end) of the maps
    void setColours(ColourMap::Name name, double gamma);

    const std::vector<MeasureTile>& tiles() const { return m_tiles; }
    int current() const { return m_current; } ///< where the frame is: the one that is shown, until an arrow key moves it
    int shown() const { return m_shown; }
    QRect tileRect(int tile) const; ///< map and title
    int tileAt(QPoint position) const; ///< −1: none

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;

Q_SIGNALS:
    void tileChosen(int tile);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    bool event(QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QRect mapRect(int tile) const;
    QRect titleRect(int tile) const;
    QString shownTitle(int tile) const; ///< elided where it has no room
    QString tipOf(int tile) const;
    const QImage& picture(int tile);
    void describe();
    void moveFrame(int tile);

    std::vector<MeasureTile> m_tiles;
    std::vector<QImage> m_pictures;
    int m_shown = -1, m_current = -1;
    std::optional<std::pair<int, int>> m_marked;
    ColourMap::Name m_colourMap = ColourMap::Name::Magma;
    double m_gamma = 0.5;
};

} // namespace headroom::widgets
