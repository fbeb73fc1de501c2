// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QTableView;

namespace headroom::app {

class Messages;

/// All messages, newest first, each with the same action as where it happened. Window's thread.
class MessagesPanel : public QWidget {
    Q_OBJECT

public:
    explicit MessagesPanel(Messages* messages, QWidget* parent = nullptr);
    void copy() const; ///< the selected rows, or all, tab-separated with heads
    QTableView* view() const { return m_view; }

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void fitActions();

    Messages* m_messages;
    QTableView* m_view;
};

} // namespace headroom::app
