// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/session.h"
#include "app/jobs/analysis_service.h"
#include "app/jobs/device_list.h"
#include "app/jobs/worker_process.h"
#include "app/parts/file_dialogs.h"
#include "app/places/place_store.h"

#include <QMainWindow>

class QStackedWidget;

namespace headroom::app {

class Actions;
class AnalyseWorkspace;
class DesignWorkspace;
class Drafts;
class AppSettings;
class Autosave;
class LatencyMeasurements;
class PageArea;
class RecoveryOffer;
class SessionActions;
class SessionName;
class SessionWatch;
class StatusBar;
class StudyEvidence;
class StudyStore;
class ThemeSwitch;
class ToolBar;
class TrainWorkspace;
class UnusedRecordings;
class Workspace;

/// The window: menus, tool bar, the workspaces, status bar. It makes and owns the parts and connects what leads
/// from one workspace to another; everything else it asks of a workspace goes through `Workspace`. Window's
/// thread.
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
    Drafts* drafts() const { return m_drafts; }
    Dialogs& dialogs() { return m_dialogs; }
    SessionActions* sessionActions() const { return m_sessionActions; }
    Autosave* autosave() const { return m_autosave; }
    ToolBar* toolBar() const { return m_toolBar; }
    StatusBar* statusBarWidget() const { return m_status; }

    /// In the order of the switch.
    const QList<Workspace*>& workspaces() const { return m_workspaces; }
    Workspace* current() const;
    /// `name`: "analyse", "design", "train". An unknown name changes nothing.
    void showWorkspace(const QString& name);
    AnalyseWorkspace* analyse() const { return m_analyse; }
    DesignWorkspace* design() const { return m_design; }
    TrainWorkspace* train() const { return m_train; }

    /// True while something is read, computed or prepared: a picture would not be final.
    bool isPending() const;
    /// Whether window geometry and layouts are read from the settings and written to them. Off for pictures
    /// and tests.
    void setRemembersGeometry(bool remembers) { m_remembersGeometry = remembers; }
    void setVisible(bool visible) override;
    /// The size of the first start: 1600 × 1000 where the screen has room for it within its `available` part, frame included.
    static QSize firstSize(QSize screen, QSize available, int titleBar);

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void closeEvent(QCloseEvent* event) override;

private:
    QSize firstSize() const;
    void takeGeometry(const QByteArray& geometry);
    void makeWorkspaces();
    void makeBars(ThemeSwitch* theme);
    void connectActions();
    void connectStatus();
    void connectStartPage();
    void connectView();
    void updateActions();
    void updateTitle();
    void showStatus();
    void showCurrent();
    void showAbout();
    void showGuide();
    void connectHelp();
    void openInFileManager(const QString& path);

    AppSettings* m_settings;
    Dialogs m_dialogs;
    Session m_session;
    WorkerProcess m_worker;
    AnalysisService m_analysis;
    PlaceStore m_places;
    DeviceList m_devices;
    Autosave* m_autosave;
    Actions* m_actions;
    SessionActions* m_sessionActions;
    UnusedRecordings* m_unused = nullptr;
    StudyEvidence* m_evidence;
    StudyStore* m_studies;
    LatencyMeasurements* m_latency;
    Drafts* m_drafts;
    PageArea* m_area;
    QStackedWidget* m_pages; ///< in the order of m_workspaces
    QList<Workspace*> m_workspaces;
    AnalyseWorkspace* m_analyse = nullptr;
    DesignWorkspace* m_design = nullptr;
    TrainWorkspace* m_train = nullptr;
    ToolBar* m_toolBar = nullptr;
    StatusBar* m_status = nullptr;
    SessionWatch* m_watch = nullptr;
    RecoveryOffer* m_recovery = nullptr;
    SessionName* m_sessionName;
    bool m_remembersGeometry = true;
    bool m_wasShown = false;
};

} // namespace headroom::app
