// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QAction;
class QMenu;

namespace headroom::app {

class DesignWorkspace;
class Drafts;
class MainWindow;

/// Brings DESIGN into the window: its page, its menu, its part of the tool bar, and the dialogues it asks
/// for. Window's thread.
class DesignPage : public QObject {
    Q_OBJECT

public:
    /// Everything borrowed; `trainThis` leads on to TRAIN.
    DesignPage(MainWindow* window, Drafts* drafts, QAction* trainThis);

    DesignWorkspace* workspace() const { return m_workspace; }
    QMenu* makeMenu(QWidget* parent) const;

private:
    QString askOpen() const;
    QString askSave(const QString& suggested) const;

    MainWindow* m_window;
    QAction* m_trainThis;
    DesignWorkspace* m_workspace;
};

} // namespace headroom::app
