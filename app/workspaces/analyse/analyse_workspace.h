// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/session.h"
#include "app/jobs/analysis_service.h"
#include "app/studies/open_study.h"
#include "app/workspaces/analyse/sound/sound_devices.h"
#include "app/workspaces/analyse/start/start_page.h"
#include "widgets/time_axis/time_axis.h"

#include <QMainWindow>

class QSplitter;
class QStackedWidget;
class QTabWidget;

namespace headroom::app {

class Actions;
class AppSettings;
class ChecksPanel;
class ComparePresenter;
class Comparison;
class Dock;
class HeadTabs;
class LayersPanel;
class MapPresenter;
class MatrixPanel;
class MessagesPanel;
class AlignmentStore;
class AlignmentsPanel;
class ModelPanel;
class ReadOutPanel;
class RecordingBar;
class LatencyPanel;
class PlaceOpener;
class PlacesPanel;
class ProbePanel;
class SoundTransport;
class StudyEvidence;
class StudyPanel;
class StudyStore;
class TimeColumn;
class UtterancePanel;
class WindowsPanel;

/// The ANALYSE workspace: left what is open, in the middle what is looked at, right what follows from it. An
/// inner main window, so that its docks have a layout of their own. It owns the one time axis.
class AnalyseWorkspace : public QMainWindow {
    Q_OBJECT

public:
    struct Parts {
        Session* session;
        AnalysisService* analysis;
        WorkerProcess* worker;
        const Actions* actions;
        StudyEvidence* evidence; ///< what the tabs speak about
        StudyStore* studies;
        AppSettings* settings;
    };
    explicit AnalyseWorkspace(const Parts& parts, QWidget* parent = nullptr);
    ~AnalyseWorkspace() override;

    widgets::TimeAxis* axis() { return &m_axis; }
    TimeColumn* timeColumn() const { return m_column; }
    MatrixPanel* matrixPanel() const { return m_matrix; }
    LayersPanel* layersPanel() const { return m_layers; }
    WindowsPanel* windowsPanel() const { return m_windows; }
    HeadTabs* headTabs() const { return m_headTabs; }
    StudyPanel* studyPanel() const { return m_studies; }
    ProbePanel* probePanel() const { return m_probe; }
    PlacesPanel* placesPanel() const { return m_places; }
    UtterancePanel* utterancePanel() const { return m_utterances; }
    ModelPanel* modelPanel() const { return m_models; }
    ReadOutPanel* readOutPanel() const { return m_readOut; }
    ChecksPanel* checksPanel() const { return m_checks; }
    AlignmentStore* alignments() const { return m_alignments; }
    AlignmentsPanel* alignmentsPanel() const { return m_alignmentsPanel; }
    StartPage* startPage() const { return m_start; }
    MapPresenter* presenter() const { return m_presenter; }
    /// What the current map is seen beside.
    Comparison* comparison() const { return m_comparison; }
    SoundTransport* transport() const { return m_transport; }
    RecordingBar* recordingBar() const { return m_recordingBar; }
    /// The middle, as it is exported.
    QWidget* centre() const;
    const Dock* layersDock() const { return m_layersDock; }
    const Dock* messagesDock() const { return m_messagesDock; }
    const QTabWidget* analysisTabs() const { return m_tabs; }

    QList<QAction*> panelActions() const; ///< show or hide each dock
    void showMessages();
    void showAlignments();
    void showStudies();
    /// The form of a new study, of this kind where there is one.
    void showStudyForm(std::optional<StudyKind> kind);
    void resetLayout();
    /// What the session keeps of the view (Session::viewState) and back.
    nlohmann::json viewState() const;
    void restoreView(const nlohmann::json& view);
    /// Lanes are still being prepared.
    bool isPending() const;

protected:
    void showEvent(QShowEvent* event) override;

Q_SIGNALS:
    void shownChanged(); ///< what the status bar says
    void showInFolderRequested(const QString& path);
    void alignRequested(headroom::app::UtteranceId id);
    void recordingAdded(); ///< something was recorded, and is open now

private:
    void makeCentre();
    void makeDocks();
    void makeStudyDocks();
    void connectStudies();
    void orderTabs();
    void makeRoomForForm(bool shown);
    void showPlaces();
    void showStudyTab(const OpenStudyPtr& study);
    void placeDocks();
    void makeAlignments();
    void placeAlignments();
    void makeRoomBeside(bool shown);
    void sizeDocks();
    void connectSession();
    void connectActions();
    void connectComparison();
    void connectWorker();
    void connectSound();
    void askForLayers(int window);
    void showUtterance();
    void showResultBanner();
    void showCounts();
    void applyWantedView();
    void step(int tokens);
    void stepWord(int direction);
    void moveCursor(Seconds time);
    void analysePart(widgets::TimeSpan span);
    Dock* addDock(const QString& name, const QString& title, QWidget* content);

    Parts m_parts;
    widgets::TimeAxis m_axis;
    QStackedWidget* m_pages = nullptr;
    QSplitter* m_splitter = nullptr;
    StartPage* m_start = nullptr;
    RecordingBar* m_recordingBar = nullptr;
    SoundDevices m_devices;
    SoundTransport* m_transport = nullptr;
    TimeColumn* m_column = nullptr;
    MatrixPanel* m_matrix = nullptr;
    UtterancePanel* m_utterances = nullptr;
    ModelPanel* m_models = nullptr;
    ReadOutPanel* m_readOut = nullptr;
    ChecksPanel* m_checks = nullptr;
    LayersPanel* m_layers = nullptr;
    WindowsPanel* m_windows = nullptr;
    HeadTabs* m_headTabs = nullptr; ///< CAD, PAR, Heads, Statistics
    MessagesPanel* m_messages = nullptr;
    AlignmentStore* m_alignments = nullptr;
    AlignmentsPanel* m_alignmentsPanel = nullptr;
    Dock* m_alignmentsDock = nullptr;
    StudyPanel* m_studies = nullptr;
    int m_heightBefore = 0; ///< of the studies' dock, before the form needed more
    PlacesPanel* m_places = nullptr;
    ProbePanel* m_probe = nullptr;
    LatencyPanel* m_latency = nullptr;
    PlaceOpener* m_opener = nullptr;
    QTabWidget* m_tabs = nullptr; ///< what the analysis dock holds
    Dock *m_utterancesDock = nullptr, *m_modelsDock = nullptr, *m_readOutDock = nullptr,
         *m_checksDock = nullptr;
    Dock *m_studiesDock = nullptr, *m_placesDock = nullptr;
    Dock *m_layersDock = nullptr, *m_analysisDock = nullptr, *m_messagesDock = nullptr;
    Comparison* m_comparison = nullptr;
    MapPresenter* m_presenter = nullptr;
    ComparePresenter* m_comparePresenter = nullptr;
    UtteranceId m_shownUtterance = UtteranceId::None;
    Seconds m_shownExtent{-1};
    bool m_workerBanner = false;
    bool m_wasShown = false;
    int m_widthBefore = 0;       ///< of the right docks, before two maps needed their room
    nlohmann::json m_wantedView; ///< span and cursor of a session whose recording is still being read
};

} // namespace headroom::app
