// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/drafts/drafts.h"
#include "app/documents/items/messages.h"
#include "app/runs/run_queue.h"
#include "app/runs/run_store.h"
#include "app/workspaces/train/corpus_version.h"
#include "app/workspaces/workspace.h"
#include "widgets/run_monitor/queue_model.h"

#include <QTimer>

#include <functional>
#include <map>
#include <optional>

class QLineEdit;
class QPushButton;
class QStackedWidget;
class QToolButton;

namespace headroom::widgets {
class LogView;
class QueueView;
class RunTable;
class SamplesView;
} // namespace headroom::widgets

namespace headroom::app {

class AppSettings;
class CorpusMaker;
class CurvesPanel;
class DataView;
class DeviceList;
class DevicesPanel;
class ErrorBrowser;
class EvaluateDialog;
class WatchDialog;
class ExperimentsDialog;
class LaunchForm;
class LogPage;
struct CorpusUtterance;
class PlaceStore;
struct OpenModel;
class Session;
class TrainActions;

/// The Train workspace: at the left what is to be trained, above what runs, in the middle how it went, below
/// every run and what the chosen one says. Runs never depend on it: it reads folders and writes jobs. Window's
/// thread.
class TrainWorkspace : public Workspace {
    Q_OBJECT

public:
    /// Everything borrowed.
    struct Parts {
        Session* session;
        Drafts* drafts;
        AppSettings* settings;
        const Actions* actions; ///< of the window
        PlaceStore* places;
        DeviceList* devices;
        QString indexFile;      ///< of the registry; empty: the user's cache
    };
    explicit TrainWorkspace(const Parts& parts, QWidget* parent = nullptr);
    ~TrainWorkspace() override;

    RunStore* store() { return &m_store; }
    RunQueue* queue() { return &m_queue; }
    LaunchForm* form() const { return m_form; }
    DataView* data() const { return m_data; }
    CurvesPanel* curves() const { return m_curves; }
    widgets::QueueView* queueView() const { return m_queueView; }
    widgets::RunTable* runTable() const { return m_runs; }
    widgets::LogView* log() const { return m_log; }
    widgets::SamplesView* samples() const { return m_samples; }

    DevicesPanel* devicesPanel() const { return m_devicesPanel; }
    const TrainActions& actions() const { return *m_actions; }

    /// The dialogue “Evaluate…”, with this model chosen; empty: the newest one.
    EvaluateDialog* askEvaluation(const std::filesystem::path& model = {});
    /// The dialogue that lists the runs at a place; empty: the first one.
    WatchDialog* askWatch(const QString& place = {});
    ExperimentsDialog* showExperiments();
    ErrorBrowser* showErrors(const std::filesystem::path& evaluation);

    /// Asks for a name; replaced in tests. The name now → the new one; nullopt: given up.
    std::function<std::optional<QString>(const QString& now)> askName;
    /// Asks for one of the checkpoints of a run; replaced in tests. nullopt: given up.
    std::function<std::optional<int>(const QString& run, const QStringList& checkpoints)> askCheckpoint;

    /// Asks for the file of a figure or a table; replaced in tests. Empty: given up.
    std::function<QString(const QString& suggested, const QStringList& filters)> askExport;

    /// “Train this…”: the draft stands in the form, which has the focus.
    void trainThis(DraftKey draft);
    const std::filesystem::path& currentRun() const { return m_current; }
    void setCurrentRun(const std::filesystem::path& folder);

    /// The layout around the curves, also while Data is shown.
    QByteArray savedLayout() const override;
    QList<QMenu*> makeMenus(QWidget* parent) const override;
    QList<ToolBarItem> toolBarItems() override;
    QList<Actions::Listed> listedActions() const override;
    QString guidePage() const override { return QStringLiteral("loop.md"); }
    QString statusText() const override;
    bool isPending() const override;
    nlohmann::json viewState() const override;
    void restoreView(const nlohmann::json& view) override;

protected:
    void placeDocks() override;
    void sizeDocks() override;
    void roomForText() override;

Q_SIGNALS:
    /// The model of a finished run is to be opened beside the one that it started from (empty: none did),
    /// else beside what is open.
    void openResultRequested(const std::filesystem::path& model, const std::filesystem::path& origin);
    /// A recording of a corpus is to be opened with this model.
    void openUtteranceRequested(const std::filesystem::path& model, const headroom::app::CorpusUtterance& utterance);

private:
    void makePanels();
    int usualQueueHeight() const;
    int queueHeight() const;
    Dock* makeRunsDock();
    Dock* makeLogDock();
    void connectStore();
    void connectForm();
    void connectActions();
    void rememberView();
    void restoreKept();
    bool isKeptOf(const Session& session);
    void takeView(const nlohmann::json& view);
    void makeDemoCorpus(bool text);
    void connectData();
    void showData(bool shown);
    void showRecipesInData();
    void showRuns();
    void nameResults();
    void followFolder();
    void expectJob(const std::filesystem::path& job);
    void leaveForm();
    void followJobFrom(const std::filesystem::path& job);
    void followJob();
    bool isKnown(const std::filesystem::path& path) const; ///< a run, an evaluation or a job that has not begun
    void noteOnCorpus(const std::filesystem::path& corpus, const QString& sentence);
    void settleNotes(const std::filesystem::path& corpus);
    void showCurves();
    void showCurrent();
    void updateActions();
    void updateTrainThis();
    bool handleEvaluation(widgets::QueueModel::Button button, const std::filesystem::path& path);
    void handle(widgets::QueueModel::Button button, const std::filesystem::path& path);
    void showPlaces(const QString& chosen);
    /// Into Messages, beyond the session: runs, corpora and places outlive it. `cause`: for Messages::settle(); empty: none.
    void post(Severity severity, const QString& sentence, const QString& actionText = {}, std::function<void()> action = {},
              const QString& cause = {});
    void sayWhyEmpty(); ///< in Queue and Runs while nothing is in them
    void say(const QString& sentence); ///< an error of what the user did: into Messages, which are shown; nothing where it is empty
    /// Whether a run is still in its folder; else it is said.
    bool isHere(const std::filesystem::path& run, const QString& title);
    void announce(const widgets::RunItem& run);
    void takeBackOffers(const std::vector<widgets::RunItem>& runs);
    void announce(const EvaluationInfo& evaluation);
    void announce(const widgets::WaitingItem& job); ///< that was not started
    void startAgain(const std::filesystem::path& job);
    void openResult(const widgets::RunItem& run);
    void renameRuns();
    void showScript(const std::filesystem::path& run);
    std::filesystem::path runOfRow(const std::filesystem::path& path) const;
    std::filesystem::path currentModel() const;
    QString whyNoModel(const std::filesystem::path& model) const;
    void branch();
    std::vector<std::filesystem::path> runsToRemove() const;
    void removeRuns(const std::vector<std::filesystem::path>& folders);
    void removeFromQueue(const std::filesystem::path& job);
    void updateRemove();
    void exportCurves();
    const OpenModel* openModelOf(const std::filesystem::path& run) const;
    std::filesystem::path runInQueue(const std::filesystem::path& path) const;
    const widgets::RunItem* bestOf(const QString& group) const;
    const widgets::RunItem* resultOfRow(const QString& group) const;
    void openResultOfRow();
    using SomeRuns = std::vector<const widgets::RunItem*>;
    SomeRuns othersOfRow(const std::function<bool(const widgets::RunItem&)>& canBeUsed) const;
    SomeRuns othersToStop() const;
    SomeRuns othersToResume() const;
    void askOthers(widgets::QueueModel::Button button, const SomeRuns& others);
    void updateOthers();

    Parts m_parts;
    TrainActions* m_actions;
    RunStore m_store;
    RunQueue m_queue;
    CorpusMaker* m_maker;
    LaunchForm* m_form = nullptr;
    QTimer m_viewKept;                   ///< until what was changed in the view is written
    std::optional<std::string> m_keptOf; ///< the session in which it was kept, until one is opened
    CurvesPanel* m_curves = nullptr;
    DataView* m_data = nullptr;
    QStackedWidget* m_middle = nullptr; ///< curves, Data
    QByteArray m_aroundCurves;          ///< the layout while Data is shown; empty: it is not
    widgets::QueueView* m_queueView = nullptr;
    widgets::RunTable* m_runs = nullptr;
    widgets::LogView* m_log = nullptr;
    widgets::SamplesView* m_samples = nullptr;
    QPushButton* m_openResult = nullptr; ///< beside Runs: of the row
    QStackedWidget* m_saying = nullptr;  ///< log, examples
    LogPage* m_logPage = nullptr;       ///< around it
    QLineEdit *m_search = nullptr, *m_logSearch = nullptr;
    Dock *m_formDock = nullptr, *m_queueDock = nullptr, *m_runsDock = nullptr, *m_logDock = nullptr, *m_devicesDock = nullptr;
    DevicesPanel* m_devicesPanel = nullptr;
    /// What actions, log and status bar are of: a run, an evaluation without one, or a job that has not begun.
    std::filesystem::path m_current;
    /// Asked for last, or chosen in Queue: its row is to be chosen, and then that of what it becomes; empty: none.
    std::filesystem::path m_wantedJob;
    std::filesystem::path m_standIn; ///< chosen for want of the current row, not by the user: a job is gone before its run is there
    bool m_choseJob = false;           ///< its own row was
    QStringList m_knownGroups;
    std::map<std::filesystem::path, CorpusVersion> m_noted; ///< corpus → what it was when its import said something of it
    QStringList m_wantedComparison; ///< of a restored view, or of a runs folder, until its runs are known
    std::map<std::filesystem::path, QStringList> m_tickedBefore; ///< runs folder that was left → experiments that were ticked
    std::filesystem::path m_tickedIn; ///< the runs folder of the ticked ones; empty: none was shown yet
    bool m_first = true;
};

} // namespace headroom::app
