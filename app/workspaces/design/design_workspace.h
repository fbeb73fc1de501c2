// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/drafts/drafts.h"
#include "app/jobs/analysis_service.h"
#include "app/parts/file_dialogs.h"
#include "app/workspaces/design/design_facts.h"
#include "app/workspaces/workspace.h"
#include "widgets/layer_editor/layer_editor.h"

#include <QElapsedTimer>
#include <QTimer>

#include <functional>

class QComboBox;
class QDoubleSpinBox;

namespace headroom::app {

class AppSettings;
class CostPanel;
class DesignActions;
class DifferencePanel;
class HeadsTextField;
class LatencyMeasurements;
class PanelHeader;
class PresetsPanel;
class StudyEvidence;

/// The Design workspace: left what one can start from, in the middle the layers × heads, below what it
/// changes, right what it costs. It edits through Drafts, so a band dragged in Analyse and a head typed here are
/// one draft on one undo stack. Window's thread.
class DesignWorkspace : public Workspace {
    Q_OBJECT

public:
    /// Everything borrowed.
    struct Parts {
        Session* session;
        AnalysisService* analysis;
        StudyEvidence* evidence; ///< a study shown in Analyse suggests here too
        Drafts* drafts;
        const Actions* actions; ///< of the window
        AppSettings* settings;  ///< knows the folder of the file dialogues
        const Dialogs* dialogs;
        LatencyMeasurements* latency = nullptr; ///< null: latency cannot be measured
    };
    explicit DesignWorkspace(const Parts& parts, QWidget* parent = nullptr);
    ~DesignWorkspace() override;

    Drafts* drafts() const { return m_drafts; }
    widgets::LayerEditor* editor() const { return m_editor; }
    CostPanel* costPanel() const { return m_cost; }
    HeadsTextField* headsText() const { return m_text; }
    PresetsPanel* presetsPanel() const { return m_presets; }
    DifferencePanel* differencePanel() const { return m_difference; }
    QComboBox* baselineField() const { return m_baseline; }
    QDoubleSpinBox* fullAboveField() const { return m_fullAbove; }
    const DesignActions& actions() const { return *m_actions; }

    QList<QMenu*> makeMenus(QWidget* parent) const override;
    QList<ToolBarItem> toolBarItems() override;
    QList<Actions::Listed> listedActions() const override;
    QString guidePage() const override { return QStringLiteral("loop.md"); }
    QString statusText() const override;
    bool isPending() const override { return m_soon.isActive(); }
    nlohmann::json viewState() const override;
    void restoreView(const nlohmann::json& view) override;

    /// Questions that need a dialogue; tests put their answers in place. Empty: given up.
    std::function<QString()> askOpen;
    std::function<QString(const QString& suggested)> askSave;
    std::function<FileDialogs::Changed(const QString& file)> askChanged; ///< FileDialogs::askFileChanged

    void startFrom(int preset);
    void putHeads(int preset);
    void useSuggestedWindows();

protected:
    void placeDocks() override;
    void sizeDocks() override;
    void focusInEvent(QFocusEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void makeCentre();
    void makeDocks();
    void connectParts();
    QWidget* makePalette();
    QWidget* makeViewSwitch(); ///< grid or text
    void refreshSoon();
    void refresh();
    void refreshBaselines();
    void tellOfMeasurement();
    void showFacts(DraftKey key, const Architecture& architecture, const Architecture& baseline);
    void showDifference(DraftKey key, const Architecture& architecture, const Architecture& baseline);
    void updateActions();
    void showPositions();
    void write(const std::vector<widgets::CellEdit>& edits, bool goesOn);
    void writeText(const std::vector<widgets::CellEdit>& edits); ///< of the text, to the draft that it shows
    int currentLayer() const;
    void goToLayer(int layer);
    void goToNextMistake();
    Architecture baseline() const;
    QString baselineName() const;
    void open();
    void openFile(const QString& file);
    void save();
    void saveAs();
    void saveUnread(int number); ///< Drafts::unreadRequested()
    void saveTo(const QString& file);
    QString chooseOpen() const;
    QString chooseSave(const QString& suggested) const;
    void resetDraft();
    void relaxSelected(); ///< where all are relaxed, no longer
    void changeGamma(double gamma); ///< of the selected heads that are relaxed
    void showGamma();
    void relax(std::vector<std::pair<widgets::CellEdit, HeadGroup>> heads, std::optional<double> gamma, bool goesOn);
    /// The selected heads whose attention can be relaxed, one by one; those of the cross-attention group by group. Each HeadGroup
    /// has the count 1.
    std::vector<std::pair<widgets::CellEdit, HeadGroup>> relaxable() const;

    Parts m_parts;
    Drafts* m_drafts;
    DraftKey m_textOf; ///< the draft that the text shows
    DesignFacts m_facts;
    DesignActions* m_actions;
    PanelHeader* m_header = nullptr;
    widgets::LayerEditor* m_editor = nullptr;
    HeadsTextField* m_text = nullptr;
    QDoubleSpinBox* m_gamma = nullptr; ///< of setRelaxed; shows the γ of the selected heads, and changes it
    QDoubleSpinBox* m_fullAbove = nullptr;
    PresetsPanel* m_presets = nullptr;
    CostPanel* m_cost = nullptr;
    DifferencePanel* m_difference = nullptr;
    QComboBox* m_baseline = nullptr;
    Dock *m_presetsDock = nullptr, *m_costDock = nullptr, *m_differenceDock = nullptr;
    QTimer m_soon;
    QElapsedTimer m_sinceStep;
};

} // namespace headroom::app
