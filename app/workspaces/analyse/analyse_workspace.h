// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/session.h"
#include "app/jobs/analysis_service.h"
#include "app/workspaces/workspace.h"
#include "widgets/time_axis/time_axis.h"

#include <memory>

class QMenu;
class QTabWidget;

namespace headroom::app {

class AnalyseActions;
class AnalyseCentre;
class AnalyseLayout;
class AppSettings;
class CompareController;
class Comparison;
class Controller;
class DeviceList;
class Dialogs;
class ExportController;
class HeadsController;
class MapController;
class OpenedController;
class PhonesController;
class PlaceStore;
class SoundController;
class StartPage;
class StudiesController;
class StudyEvidence;
class StudyStore;
class WindowsController;
class WordsController;

/// The Analyse workspace: left what is open, in the middle what is looked at, right what follows from it. It
/// owns the one time axis and brings the controllers together; each of them owns its panels. Window's thread.
class AnalyseWorkspace : public Workspace {
    Q_OBJECT

public:
    /// Everything borrowed.
    struct Parts {
        Session* session;
        AnalysisService* analysis;
        WorkerProcess* worker;
        const Actions* actions;
        StudyEvidence* evidence; ///< what the tabs speak about
        StudyStore* studies;
        AppSettings* settings;
        const Dialogs* dialogs;
        PlaceStore* places;
        DeviceList* devices;
    };
    explicit AnalyseWorkspace(const Parts& parts, QWidget* parent = nullptr);
    ~AnalyseWorkspace() override;

    widgets::TimeAxis* axis() { return &m_axis; }
    StartPage* startPage() const;
    /// What the current map is seen beside.
    Comparison* comparison() const;

    void fillFigureMenu(QMenu* figures);
    /// Opens a trained model and compares it with the one that it came from, which is opened too; with the
    /// current one where `origin` is empty. Shows the workspace.
    void openResult(const std::filesystem::path& model, const std::filesystem::path& origin);
    /// Opens a model and makes it the current one, without a comparison that nobody asked for. Shows the workspace.
    void openAlone(const std::filesystem::path& model);

    QList<QMenu*> makeMenus(QWidget* parent) const override;
    QList<ToolBarItem> toolBarItems() override;
    QList<Actions::Listed> listedActions() const override;
    QString guidePage() const override { return QStringLiteral("analyse.md"); }
    QString statusText() const override;
    bool isPending() const override;
    /// Its values stand at the top level of a session's view, where they stood before there were others.
    QString viewKey() const override { return {}; }
    nlohmann::json viewState() const override;
    void restoreView(const nlohmann::json& view) override;

protected:
    void placeDocks() override;
    void sizeDocks() override;
    void layoutRestored() override;
    void withGivenSizes(const std::function<void()>& look) const override;
    void showEvent(QShowEvent* event) override;

Q_SIGNALS:
    void alignRequested(headroom::app::UtteranceId id);
    void recordingAdded(); ///< something was recorded, and is open now

private:
    void makeControllers();
    void makeCentre();
    void makeLayout();
    void connectControllers();
    void locate(UtteranceId id);
    void locateModel(ModelId id);
    void showPage();

    Parts m_parts;
    widgets::TimeAxis m_axis;
    QTabWidget* m_tabs; ///< what the analysis dock holds
    AnalyseActions* m_actions;
    SoundController* m_sound;
    OpenedController* m_opened;
    MapController* m_map;
    CompareController* m_compare;
    WindowsController* m_windows;
    HeadsController* m_heads;
    PhonesController* m_phones;
    WordsController* m_words;
    StudiesController* m_studies;
    ExportController* m_export = nullptr; ///< the actions, which are made first, ask it
    QList<Controller*> m_controllers; ///< all of them, in the order in which a view is restored
    AnalyseCentre* m_centre = nullptr;
    std::unique_ptr<AnalyseLayout> m_layout;
};

} // namespace headroom::app
