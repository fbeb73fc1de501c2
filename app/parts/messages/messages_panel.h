// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QAction;
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
    QAction* copyAction() const { return m_copy; }
    QAction* clearAction() const { return m_clear; }
    QAction* bringBackAction() const { return m_bringBack; } ///< what was cleared; visible while there is something
    QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void makeActions();
    void fitActions();

    Messages* m_messages;
    QTableView* m_view;
    QAction *m_copy = nullptr, *m_clear = nullptr, *m_bringBack = nullptr;
};

} // namespace headroom::app
