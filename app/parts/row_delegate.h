// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/items/messages.h"

#include <QStringList>
#include <QStyledItemDelegate>

#include <functional>
#include <optional>

namespace headroom::app {

/// What one row of a list of files or models shows. A value.
struct RowContent {
    QString iconName;            ///< empty: none
    std::optional<bool> checked; ///< a check box at the left where it has a value
    std::optional<int> bar;      ///< a bar before the text, in this colour and dash (widgets::runPen())
    QString title;
    QString second;                     ///< second line in grey; empty: a row of one line
    QString right;                      ///< right-aligned in grey: a duration
    QString sentence;                   ///< under the row, wrapped
    int sentenceLines = 0;              ///< as many of them at most, the rest in the tool tip; 0: all
    Severity severity = Severity::Info; ///< of the sentence, and of the icon
    QStringList buttons;                ///< under the sentence
    bool working = false;               ///< a thin bar under the title
    double share = 0.35;                ///< of that bar, 0 … 1; as it is: nobody knows how far
};

/// Paints such rows, the sentence of what went wrong and the way out included, without a widget per row.
/// Buttons and check box answer to clicks; by keyboard Space ticks the row and the panel's menu holds the
/// same actions.
class RowDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    using Describe = std::function<RowContent(const QModelIndex&)>;
    RowDelegate(Describe describe, QObject* parent);

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    bool editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option,
                     const QModelIndex& index) override;
    bool helpEvent(QHelpEvent* event, QAbstractItemView* view, const QStyleOptionViewItem& option,
                   const QModelIndex& index) override; ///< with the lines that are elided

Q_SIGNALS:
    void buttonClicked(const QModelIndex& index, int button);
    void checkToggled(const QModelIndex& index);

private:
    struct Layout;
    Layout layOut(const RowContent& content, const QRect& row) const;
    Describe m_describe;
};

} // namespace headroom::app
