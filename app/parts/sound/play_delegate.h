// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

#include <functional>

namespace headroom::widgets {
class StudyTableView;
}

namespace headroom::app {

/// Draws the button of a row of a table of recordings: play, stop, or nothing where there is no sound. The table's
/// owner plays. Window's thread.
class PlayDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    enum class Button { None, Play, Stop };
    /// `button`: of a row of the table's document, whatever the order on screen.
    PlayDelegate(widgets::StudyTableView* table, std::function<Button(int row)> button);

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    widgets::StudyTableView* m_table;
    std::function<Button(int)> m_button;
};

} // namespace headroom::app
