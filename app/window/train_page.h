// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <filesystem>

class QAction;
class QMenu;

namespace headroom::app {

class Drafts;
class MainWindow;
class TrainActions;
class TrainWorkspace;

/// Brings TRAIN into the window: its page, its menu, its part of the tool bar, and the two ways between it
/// and the other workspaces (“Train this…” there, “Open in Analyse” back). Window's thread.
class TrainPage : public QObject {
    Q_OBJECT

public:
    /// Everything borrowed.
    TrainPage(MainWindow* window, Drafts* drafts);

    TrainWorkspace* workspace() const { return m_workspace; }
    const TrainActions& actions() const { return *m_actions; }
    QMenu* makeMenu(QWidget* parent) const;
    /// The draft that is edited now stands in the form, and TRAIN is shown.
    void trainCurrentDraft();

private:
    void openResult(const std::filesystem::path& model, const std::filesystem::path& origin);
    void updateTrainThis();

    MainWindow* m_window;
    Drafts* m_drafts;
    TrainActions* m_actions;
    TrainWorkspace* m_workspace;
};

} // namespace headroom::app
