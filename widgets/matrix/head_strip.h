// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/head_groups.h"

#include <QPoint>
#include <QRectF>
#include <QString>

#include <vector>

class QPainter;

namespace headroom::widgets {

/// The heads of one layer in a row as wide as its small map: each a mask in miniature in the colour of its
/// kind. Heads from 0. Pure geometry and painting; no pictures are kept.
class HeadStrip {
public:
    HeadStrip(const QRectF& rect, const std::vector<HeadGroup>& heads);

    int count() const { return static_cast<int>(m_heads.size()); }
    QRectF cell(int head) const;
    int headAt(QPointF position) const; ///< −1: none
    /// "local 17", "map of layer 4", "full γ 0.01".
    QString text(int head) const;
    /// `shown`: its map is looked at; `hovered`: under the mouse; −1: none.
    void paint(QPainter& painter, int shown, int hovered) const;

private:
    QRectF m_rect;
    std::vector<HeadGroup> m_heads; ///< one each, count 1
};

} // namespace headroom::widgets
