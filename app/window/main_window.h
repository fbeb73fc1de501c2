// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/session.h"
#include "app/jobs/analysis_service.h"
#include "app/jobs/worker_process.h"

#include <QMainWindow>

class QLabel;
class QStackedWidget;

namespace headroom::app {

class Actions;
class AnalyseWorkspace;
class DesignPage;
class Drafts;
class AppSettings;
class Autosave;
class SessionActions;
class StatusBar;
class StudyEvidence;
class StudyStore;
class ThemeSwitch;
class ToolBar;
class TrainPage;

/// The window: menus, tool bar, the workspaces, status bar. It brings the parts together and owns them; what
/// they do is theirs.
class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    /// Both borrowed; the theme is applied by who made it.
    MainWindow(AppSettings* settings, ThemeSwitch* theme, QWidget* parent = nullptr);
    ~MainWindow() override;

    AppSettings* settings() const { return m_settings; }
    Session* session() { return &m_session; }
    WorkerProcess* worker() { return &m_worker; }
    AnalysisService* analysis() { return &m_analysis; }
    const Actions& actions() const { return *m_actions; }
    StudyEvidence* evidence() const { return m_evidence; }
    StudyStore* studies() const { return m_studies; }
    AnalyseWorkspace* analyse() const { return m_analyse; }
    DesignPage* design() const { return m_design; }
    TrainPage* train() const { return m_train; }
    SessionActions* sessionActions() const { return m_sessionActions; }
    ToolBar* toolBar() const { return m_toolBar; }
    StatusBar* statusBarWidget() const { return m_status; }
    /// Nothing is being read, computed or prepared any more: a picture would be final.
    bool isPending() const;
    /// Settings neither read nor written by window geometry: for pictures and tests.
    void setRemembersGeometry(bool remembers) { m_remembersGeometry = remembers; }

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void connectActions();
    void connectStatus();
    void updateActions();
    void updateTitle();
    void updateTime();
    void sayStatus();
    bool showsTrain() const;
    bool showsDesign() const;
    void showWorkspace();
    void showAbout();
    void showGuide();
    void openInFileManager(const QString& path);

    AppSettings* m_settings;
    Session m_session;
    WorkerProcess m_worker;
    AnalysisService m_analysis;
    Autosave* m_autosave;
    Actions* m_actions;
    SessionActions* m_sessionActions;
    StudyEvidence* m_evidence;
    StudyStore* m_studies;
    QStackedWidget* m_workspaces; ///< in the order of Actions::workspaces
    AnalyseWorkspace* m_analyse;
    ToolBar* m_toolBar;
    StatusBar* m_status;
    Drafts* m_drafts;
    TrainPage* m_train = nullptr;
    DesignPage* m_design = nullptr;
    QLabel* m_sessionName;
    bool m_remembersGeometry = true;
};

} // namespace headroom::app
