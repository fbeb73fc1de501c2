// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace headroom::widgets {

/// A number that the edge of a table would cut reads as another one: "0.8" of 0.846. It waits as "…" until it is scrolled
/// to. Numbers are the cells that have a double under `role`.
class WholeNumbersDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    explicit WholeNumbersDelegate(int role, QObject* parent = nullptr) : QStyledItemDelegate(parent), m_role(role) {}
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    int m_role;
};

} // namespace headroom::widgets
