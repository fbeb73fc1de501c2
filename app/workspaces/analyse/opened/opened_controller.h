// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/session.h"
#include "app/parts/actions.h"
#include "app/workspaces/analyse/common/controller.h"

#include <QObject>

class QMainWindow;

namespace headroom::app {

class AlignmentsPanel;
class AlignmentStore;
class AnalysisService;
class Dock;
class ModelPanel;
class RecordingWatch;
class UtterancePanel;

/// What is open: the docks Utterances, Models and Alignments. Owns their panels and the store of what was found
/// in the alignments. Choosing, closing and aligning go to the session or out as signals. Window's thread.
class OpenedController : public Controller {
    Q_OBJECT

public:
    /// Everything borrowed. `window`: the docks' window.
    struct Parts {
        Session* session;
        const AnalysisService* analysis;
        const Actions* actions;
        QMainWindow* window;
    };
    explicit OpenedController(const Parts& parts, QObject* parent = nullptr);

    // What the workspace places.
    struct Docks {
        Dock *utterances = nullptr, *models = nullptr, *alignments = nullptr;
    };
    const Docks& docks() const { return m_docks; }
    /// The session's phone map and what the validator found.
    AlignmentStore* alignments() const { return m_alignments; }
    /// “Align…” for the chosen utterance.
    QAction* alignAction() const;
    /// Those in the menus of the lists, which are of their current rows: for Find action.
    QList<Actions::Listed> rowActions() const;
    /// Opens the Alignments dock in Analyse.
    void showAlignments();
    /// The same, at the findings of the current utterance.
    void showCurrentAlignment();

    /// The key "phoneMap" of the session's view.
    void saveView(nlohmann::json& view) const override;
    void restoreView(const nlohmann::json& view) override;
    bool isPending() const override;

private:
    void makeUtterances();
    void makeModels();
    void makeAlignments();

    Parts m_parts;
    AlignmentStore* m_alignments;
    RecordingWatch* m_recordings;
    UtterancePanel* m_utterances;
    ModelPanel* m_models;
    AlignmentsPanel* m_alignmentsPanel;
    Docks m_docks;
};

} // namespace headroom::app
