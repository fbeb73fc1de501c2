// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/session.h"
#include "app/jobs/analysis_service.h"
#include "app/studies/open_study.h"
#include "app/workspaces/analyse/sound/sound_devices.h"
#include "app/workspaces/workspace.h"
#include "widgets/time_axis/time_axis.h"

class QSplitter;
class QStackedWidget;
class QTabWidget;

namespace headroom::app {

class AppSettings;
class ChecksPanel;
class ComparePresenter;
class Comparison;
class HeadTabs;
class LayersPanel;
class MapPresenter;
class MatrixPanel;
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
class StartPage;
class StudyEvidence;
class StudyPanel;
class StudyStore;
class TimeColumn;
class UtterancePanel;
class WindowsPanel;

/// The ANALYSE workspace: left what is open, in the middle what is looked at, right what follows from it. It
/// owns the one time axis. Window's thread.
class AnalyseWorkspace : public Workspace {
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
    using Workspace::messagesDock;
    const QTabWidget* analysisTabs() const { return m_tabs; }

    QList<QMenu*> makeMenus(QWidget* parent) const override;
    QList<ToolBarItem> toolBarItems() override;
    QString guidePage() const override { return QStringLiteral("analyse.md"); }
    QString statusText() const override;
    /// Lanes are still being prepared.
    bool isPending() const override;
    /// Its values stand at the top level of a session's view, where they stood before there were others.
    QString viewKey() const override { return {}; }
    nlohmann::json viewState() const override;
    void restoreView(const nlohmann::json& view) override;

    void showAlignments();
    void showStudies();
    /// The form of a new study, of this kind where there is one.
    void showStudyForm(std::optional<StudyKind> kind);
    /// Opens a trained model and compares it with the one that it came from, which is opened too; with the
    /// current one where `origin` is empty. Shows the workspace.
    void openResult(const std::filesystem::path& model, const std::filesystem::path& origin);

protected:
    void placeDocks() override;
    void sizeDocks() override;

Q_SIGNALS:
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
    void makeAlignments();
    void placeAlignments();
    void makeRoomBeside(bool shown);
    void connectAvailability();
    void updateActions();
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
    Dock *m_layersDock = nullptr, *m_analysisDock = nullptr;
    Comparison* m_comparison = nullptr;
    MapPresenter* m_presenter = nullptr;
    ComparePresenter* m_comparePresenter = nullptr;
    UtteranceId m_shownUtterance = UtteranceId::None;
    Seconds m_shownExtent{-1};
    bool m_workerBanner = false;
    int m_widthBefore = 0;       ///< of the right docks, before two maps needed their room
    nlohmann::json m_wantedView; ///< span and cursor of a session whose recording is still being read
};

} // namespace headroom::app
