// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLayout>
#include <QList>

namespace headroom::app {

/// Lays its items out from left to right in as many rows as they need, each item whole. What was added after
/// addStretch() stands at the right end of its row. Height follows width.
class FlowLayout : public QLayout {
    Q_OBJECT

public:
    explicit FlowLayout(QWidget* parent) : QLayout(parent) {}
    ~FlowLayout() override { qDeleteAll(m_items); }

    void addStretch() { m_stretch = static_cast<int>(m_items.size()); }
    void addItem(QLayoutItem* item) override { m_items.append(item); }
    int count() const override { return static_cast<int>(m_items.size()); }
    QLayoutItem* itemAt(int index) const override { return m_items.value(index); }
    QLayoutItem* takeAt(int index) override;
    Qt::Orientations expandingDirections() const override { return {}; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override { return place(QRect(0, 0, width, 0), false); }
    void setGeometry(const QRect& rect) override;
    QSize sizeHint() const override; ///< one row
    QSize minimumSize() const override;

private:
    /// Places the items where `really`; returns the height that they need.
    int place(const QRect& rect, bool really) const;
    QList<QLayoutItem*> m_items;
    int m_stretch = -1; ///< items before the stretch; −1: there is none
};

} // namespace headroom::app
