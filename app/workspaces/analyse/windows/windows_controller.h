// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/drafts/drafts.h"
#include "app/documents/session.h"
#include "app/jobs/analysis_service.h"
#include "app/studies/windows_rows.h"
#include "app/workspaces/analyse/common/controller.h"
#include "app/workspaces/analyse/compare/compared_curves.h"
#include "app/workspaces/analyse/windows/windows_panel.h"

#include <QObject>

class QTabWidget;

namespace headroom::widgets {
class WindowBand;
}

namespace headroom::app {

class Actions;
class Comparison;
class MapController;

/// The tab Windows: D(w), CCD and the table of windows of the current model, or of the study that is shown. A
/// window that is dragged in the plot, edited in the table or suggested goes to the map, which edits the draft;
/// the map's own drags are followed within the same frame, and its band shows what the tab suggests. Window's
/// thread.
class WindowsController : public Controller {
    Q_OBJECT

public:
    /// Everything borrowed.
    struct Parts {
        Session* session;
        AnalysisService* analysis;
        const Actions* actions;
        StudyEvidence* evidence;
        MapController* map;
        const Comparison* comparison; ///< whose curve stands beside the current one
        QTabWidget* tabs;             ///< the tab is added to it
        widgets::WindowBand* beside = nullptr; ///< of the map beside; null: there is none
    };
    explicit WindowsController(const Parts& parts, QObject* parent = nullptr);

    /// The suggested window of each layer: 0 (full) if its CL is above "Full above CL", nullopt if there is
    /// none. Empty while the suggestions must not be used (WindowSuggestions::why).
    std::vector<std::optional<int>> suggestions() const;
    void saveView(nlohmann::json& view) const override;
    void restoreView(const nlohmann::json& view) override;
    /// "Layer 3", "Layers 1, 3–5, 8", of rising numbers.
    static QString layersText(const std::vector<int>& layers);

private:
    void connectPanel();
    void refresh();
    void showTitle();
    void updateActions();
    void writeSuggestions(); ///< and says what it did
    void addCompared(WindowsPanel::Content& content);
    DraftKey draft() const; ///< of the current model
    /// The suggested window of the current layer; 0: full.
    std::optional<int> suggestionHere() const;
    void showSuggestion(); ///< on the maps, and under the table
    void suggestBeside();
    void suggestOn(widgets::WindowBand* band, const WindowSuggestions& from, ModelId model, int layer, UtteranceId shown);
    QString onlyItselfText() const;
    QString suggestedFrom() const; ///< over what the table is, and what is of the current utterance alone
    void applySuggestion();
    void applySuggestions();
    CurveOf curveHere() const; ///< of the current map
    void keepCurve();
    void showKept(); ///< what the action would do now
    void sayKept(const KeptCurve& curve, bool kept);
    void setKept(const KeptCurve& curve, bool kept);
    void measureKept();
    void chooseCurve(int index);

    Parts m_parts;
    WindowsPanel* m_panel;
    WindowSuggestions m_suggestions;
    std::vector<KeptCurve> m_kept; ///< by the user
    std::vector<CurveOf> m_curves; ///< beside the current one in the plot
};

} // namespace headroom::app
