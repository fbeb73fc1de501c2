// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHeaderView>

#include <optional>

namespace headroom::widgets {

/// Heads of a table that can be sorted. They end where the numbers below them end; the sorted one ends left of its arrow. Where the
/// edge of the table cuts a column, its head is elided within what is in sight, as its cells are (WholeNumbersDelegate). That of a frozen column lies over the others (FrozenTable).
class TableHeads : public QHeaderView {
public:
    explicit TableHeads(QWidget* parent);

protected:
    bool viewportEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void paintSection(QPainter* painter, const QRect& rect, int section) const override;

private:
    QRect inSight(const QRect& rect, int section) const;
    int shiftAt(int x) const;
    bool resizeFrozen(const QMouseEvent& mouse);

    struct Resized {
        int from, width; ///< x of the mouse, and width of the frozen column, as the button went down
    };
    std::optional<Resized> m_resized; ///< while it is dragged
};

} // namespace headroom::widgets
