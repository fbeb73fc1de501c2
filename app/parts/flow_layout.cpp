// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/parts/flow_layout.h"

#include <algorithm>

namespace headroom::app {

QLayoutItem* FlowLayout::takeAt(int index) {
    return index >= 0 && index < m_items.size() ? m_items.takeAt(index) : nullptr;
}

void FlowLayout::setGeometry(const QRect& rect) {
    QLayout::setGeometry(rect);
    place(rect, true);
}

QSize FlowLayout::sizeHint() const {
    const QMargins margins = contentsMargins();
    int width = 0, height = 0;
    for (const QLayoutItem* item : m_items) {
        if (item->isEmpty())
            continue;
        width += item->sizeHint().width() + (width > 0 ? spacing() : 0);
        height = std::max(height, item->sizeHint().height());
    }
    return {width + margins.left() + margins.right(), height + margins.top() + margins.bottom()};
}

QSize FlowLayout::minimumSize() const {
    const QMargins margins = contentsMargins();
    QSize least;
    for (const QLayoutItem* item : m_items)
        if (!item->isEmpty())
            least = least.expandedTo(item->minimumSize());
    return least + QSize(margins.left() + margins.right(), margins.top() + margins.bottom());
}

int FlowLayout::place(const QRect& rect, bool really) const {
    const QRect room = rect.marginsRemoved(contentsMargins());
    int y = room.top();
    for (qsizetype first = 0; first < m_items.size();) {
        // As many as fit, at least one.
        qsizetype next = first;
        int used = 0, height = 0;
        for (; next < m_items.size(); ++next) {
            const QLayoutItem* item = m_items[next];
            if (item->isEmpty())
                continue;
            const int wider = used + (used > 0 ? spacing() : 0) + item->sizeHint().width();
            if (used > 0 && wider > room.width())
                break;
            used = wider;
            height = std::max(height, item->sizeHint().height());
        }
        int x = room.left();
        for (qsizetype i = first; i < next; ++i) {
            QLayoutItem* item = m_items[i];
            if (i == m_stretch)
                x += std::max(0, room.width() - used);
            if (item->isEmpty())
                continue;
            const QSize size(std::min(item->sizeHint().width(), room.width()), item->sizeHint().height());
            if (really)
                item->setGeometry(QRect(QPoint(x, y + (height - size.height()) / 2), size));
            x += size.width() + spacing();
        }
        y += height > 0 ? height + spacing() : 0;
        first = next;
    }
    return std::max(y - spacing(), room.top()) - rect.top() + contentsMargins().bottom();
}

} // namespace headroom::app
