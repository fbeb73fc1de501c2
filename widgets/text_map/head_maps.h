// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/matrix/max_pyramid.h"
#include "widgets/look/colour_map.h"

#include <QImage>
#include <QWidget>

#include <memory>
#include <utility>
#include <vector>

namespace headroom::widgets {

/// The maps of all heads of all layers of a decoder as small pictures: rows are layers, columns heads, both
/// numbered from 1. Each map has its own range (0 … its maximum); reduced maps show the maximum. Marked
/// heads, those that tell when a token was said, have a dot. The maps share the room that there is, within limits.
///
/// A click, or the arrow keys and Enter, chooses a head. Window's thread.
class HeadMaps : public QWidget {
    Q_OBJECT

public:
    explicit HeadMaps(QWidget* parent = nullptr);

    /// [layer][head] of [rows, columns], shared; null: no map. Each layer has as many heads.
    void setMaps(std::vector<std::vector<std::shared_ptr<const MaxPyramid>>> maps);
    void setMarked(std::vector<std::pair<int, int>> heads); ///< layer and head, from 1
    void setCurrent(int layer, int head);                   ///< from 1; 0: none
    void setColours(ColourMap::Name name, double gamma);

    int layers() const { return static_cast<int>(m_maps.size()); }
    int heads() const { return m_maps.empty() ? 0 : static_cast<int>(m_maps.front().size()); }
    std::pair<int, int> current() const { return m_current; }
    QRect cellRect(int layer, int head) const;         ///< from 1
    std::pair<int, int> cellAt(QPoint position) const; ///< {0, 0}: none

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void headChosen(int layer, int head); ///< from 1

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    QSize cellSize() const;
    QSize sizeWith(const QSize& cell) const;
    QString nameOf(std::pair<int, int> cell) const;
    const QImage& picture(int layer, int head);
    void go(std::pair<int, int> cell);

    std::vector<std::vector<std::shared_ptr<const MaxPyramid>>> m_maps;
    std::vector<std::vector<QImage>> m_pictures;
    std::vector<std::pair<int, int>> m_marked;
    std::pair<int, int> m_current{0, 0};
    ColourMap::Name m_colourMap = ColourMap::Name::Magma;
    double m_gamma = 0.5;
};

} // namespace headroom::widgets
