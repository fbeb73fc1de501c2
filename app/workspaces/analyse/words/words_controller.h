// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/session.h"
#include "app/jobs/analysis_service.h"
#include "app/workspaces/analyse/common/controller.h"
#include "app/workspaces/analyse/map/map_controller.h"
#include "app/workspaces/analyse/words/words_panel.h"
#include "widgets/time_axis/time_axis.h"

#include <QList>
#include <QObject>
#include <QPointer>
#include <QTimer>

#include <nlohmann/json_fwd.hpp>

class QDockWidget;
class QMainWindow;
class QTabWidget;

namespace headroom::widgets {
class TimeLane;
}

namespace headroom::app {

class Actions;
class CrossHeadsPanel;
class Dock;
class SoundTransport;
class WordMixingPanel;

/// The text of the current utterance in its sound, as the current model hears it. Asks for the words while
/// the panel is shown; a word that is chosen is selected on the time axis and played. Window's thread.
class WordsController : public Controller {
    Q_OBJECT

public:
    /// Everything borrowed.
    struct Parts {
        Session* session;
        AnalysisService* analysis;
        const Actions* actions; ///< “words” and “decoderView” show the panel
        widgets::TimeAxis* axis;
        MapController* map;        ///< whose place the panel takes, and whose colours it has
        SoundTransport* transport; ///< plays the words
        QTabWidget* tabs;          ///< where the tab Mixing stands while the words are shown
        QMainWindow* window;       ///< of the dock
    };
    explicit WordsController(const Parts& parts, QObject* parent = nullptr);

    WordsPanel* panel() const { return m_panel; } ///< the workspace places it, and takes it over
    Dock* headsDock() const { return m_headsDock; } ///< in the place of the layers while the words are shown
    bool isShown() const { return m_shown; }
    void focusMap();

    // For a figure.
    QList<widgets::TimeLane*> lanes() const; ///< those that are shown, from top to bottom
    QString title() const;                   ///< "Cross-attention of decoder layer 2 of small"
    QString caption() const;                 ///< the text, what the map shows, where the times come from
    /// For the status bar: the current word with its time, and what the map shows.
    QString statusText() const;
    bool isPending() const override { return m_soon.isActive(); }

    /// The keys "words", {text, layer, head, measure}, and "wordsShown" of the session's view.
    void saveView(nlohmann::json& view) const override;
    void restoreView(const nlohmann::json& view) override;

Q_SIGNALS:
    void refreshed();
    void shownChanged(bool shown); ///< the panel takes the place of the map, or gives it back

private:
    void connectActions();
    void rememberFront();
    void followSwitch();
    void connectMixing();
    void requireMeasures(const AnalysisResult& result);
    void refreshBeside(const WordsState* state, const QString& sentence);
    void restoreChoice(const nlohmann::json& view);
    void setShown(bool shown);
    void refreshSoon();
    void refresh();
    void refreshReadOut();
    void select(widgets::TimeSpan time);

    Parts m_parts;
    WordsPanel* m_panel;
    WordMixingPanel* m_mixing; ///< a tab while the words are shown
    int m_markedWord = -1;     ///< in m_mixing
    QString m_said;            ///< the status text when it was last announced
    CrossHeadsPanel* m_heads;
    Dock* m_headsDock;
    QList<QPointer<QDockWidget>> m_inFront; ///< before the heads stood there
    MapController::Lent m_lent; ///< by the map while the words are shown; null otherwise
    bool m_shown = false;
    QTimer m_soon;
};

} // namespace headroom::app
