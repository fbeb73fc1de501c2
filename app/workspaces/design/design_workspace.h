// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/drafts.h"
#include "app/jobs/analysis_service.h"
#include "app/workspaces/design/design_facts.h"
#include "widgets/layer_editor/layer_editor.h"

#include <QElapsedTimer>
#include <QMainWindow>
#include <QTimer>

#include <functional>

class QComboBox;
class QDoubleSpinBox;

namespace headroom::app {

class CostPanel;
class DesignActions;
class DifferencePanel;
class Dock;
class PanelHeader;
class PresetsPanel;

/// The DESIGN workspace: left what one can start from, in the middle the layers × heads, below what it
/// changes, right what it costs. An inner main window with docks of its own. It edits through Drafts, so a
/// band dragged in ANALYSE and a head typed here are one draft on one undo stack. Window's thread.
class DesignWorkspace : public QMainWindow {
    Q_OBJECT

public:
    struct Parts {
        Session* session;
        AnalysisService* analysis;
        Drafts* drafts;
    };
    explicit DesignWorkspace(const Parts& parts, QWidget* parent = nullptr);
    ~DesignWorkspace() override;

    Drafts* drafts() const { return m_drafts; }
    widgets::LayerEditor* editor() const { return m_editor; }
    CostPanel* costPanel() const { return m_cost; }
    PresetsPanel* presetsPanel() const { return m_presets; }
    DifferencePanel* differencePanel() const { return m_difference; }
    QComboBox* baselineField() const { return m_baseline; }
    QDoubleSpinBox* fullAboveField() const { return m_fullAbove; }
    const DesignActions& actions() const { return *m_actions; }

    QList<QAction*> panelActions() const;
    void resetLayout();
    /// saveState() of before: what the user made of it is not sized anew.
    void restoreLayout(const QByteArray& state);
    void showMessages();
    QString statusText() const;
    bool isPending() const { return m_soon.isActive(); }
    nlohmann::json viewState() const;
    void restoreView(const nlohmann::json& view);

    /// Questions that need a dialogue; the window answers them. Empty: given up.
    std::function<QString()> askOpen;
    std::function<QString(const QString& suggested)> askSave;

    void startFrom(int preset);
    void putHeads(int preset);
    void useSuggestedWindows();

Q_SIGNALS:
    void shownChanged(); ///< what the status bar says

protected:
    void showEvent(QShowEvent* event) override;

private:
    void makeCentre();
    void makeDocks();
    void placeDocks();
    void sizeDocks();
    void connectParts();
    QWidget* makePalette();
    void refreshSoon();
    void refresh();
    void refreshBaselines();
    void showFacts(DraftKey key, const Architecture& architecture, const Architecture& baseline);
    void showDifference(DraftKey key, const Architecture& architecture, const Architecture& baseline);
    void updateActions();
    void write(const std::vector<widgets::CellEdit>& edits, bool goesOn);
    Architecture baseline() const;
    void open();
    void saveAs();
    void resetDraft();

    Parts m_parts;
    Drafts* m_drafts;
    DesignFacts m_facts;
    DesignActions* m_actions;
    PanelHeader* m_header = nullptr;
    widgets::LayerEditor* m_editor = nullptr;
    QDoubleSpinBox* m_fullAbove = nullptr;
    PresetsPanel* m_presets = nullptr;
    CostPanel* m_cost = nullptr;
    DifferencePanel* m_difference = nullptr;
    QComboBox* m_baseline = nullptr;
    Dock *m_presetsDock = nullptr, *m_costDock = nullptr, *m_differenceDock = nullptr,
         *m_messagesDock = nullptr;
    bool m_sized = false; ///< docks have their first sizes, which need the size of the window
    QTimer m_soon;
    QElapsedTimer m_sinceStep;
};

} // namespace headroom::app
