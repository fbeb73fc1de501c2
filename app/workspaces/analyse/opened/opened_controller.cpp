// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/opened/opened_controller.h"

#include "app/alignments/alignment_store.h"
#include "app/alignments/alignments_panel.h"
#include "app/documents/items/messages.h"
#include "app/documents/items/saved_message.h"
#include "app/documents/recording_watch.h"
#include "app/documents/removals.h"
#include "app/jobs/analysis_service.h"
#include "app/parts/actions.h"
#include "app/parts/dock.h"
#include "app/parts/panel_header.h"
#include "app/workspaces/analyse/common/dock_tools.h"
#include "app/workspaces/analyse/opened/model_panel.h"
#include "app/workspaces/analyse/opened/utterance_panel.h"
#include "widgets/look/icons.h"

#include <QAction>
#include <QListView>
#include <QMainWindow>

namespace headroom::app {

namespace {

constexpr double kAlignmentsHeight = 26; ///< units

/// A plus in the dock's header that does what `action` does, in fewer words.
void addOpenButton(Dock* dock, QAction* action, const QString& text) {
    auto* add = new QAction(widgets::icon(QStringLiteral("plus")), text, dock);
    add->setToolTip(action->toolTip());
    QObject::connect(add, &QAction::triggered, action, &QAction::trigger);
    dock->header()->addButton(add);
}

} // namespace

OpenedController::OpenedController(const Parts& parts, QObject* parent)
    : Controller(parent)
    , m_parts(parts)
    , m_alignments(new AlignmentStore(parts.session, this))
    , m_recordings(new RecordingWatch(parts.session, this))
    , m_utterances(new UtterancePanel(parts.session->utterances(), parts.actions->openAudio))
    , m_models(
          new ModelPanel(parts.session->models(), parts.actions->openModel, parts.actions->openDemoModel))
    , m_alignmentsPanel(new AlignmentsPanel(parts.session, m_alignments)) {
    makeUtterances();
    makeModels();
    makeAlignments();
}

void OpenedController::makeUtterances() {
    Session* session = m_parts.session;
    m_docks.utterances = new Dock(QStringLiteral("utterances"), tr("Utterances"), m_utterances, m_parts.window);
    addOpenButton(m_docks.utterances, m_parts.actions->openAudio, tr("Open audio…"));
    connect(m_utterances, &UtterancePanel::countChanged, this,
            [this] {
                m_docks.utterances->header()->setDetail(m_utterances->countText(), m_utterances->briefCountText(),
                                                        m_utterances->countsFailed() ? PanelHeader::BriefCounts::Errors : PanelHeader::BriefCounts::Any);
            });
    connect(m_utterances, &UtterancePanel::chosen, session, &Session::setCurrentUtterance);
    connect(m_utterances, &UtterancePanel::removeRequested, session,
            [session](const QList<UtteranceId>& ids) { removeUtterances(session, ids); });
    connect(m_utterances, &UtterancePanel::showInFolderRequested, this,
            &OpenedController::showInFolderRequested);
    connect(m_utterances, &UtterancePanel::locateRequested, session, &Session::locateRequested);
    connect(m_utterances, &UtterancePanel::alignRequested, this, &OpenedController::alignRequested);
    connect(m_utterances, &UtterancePanel::alignmentRemovalRequested, session, &Session::removeAlignment);
    connect(m_utterances, &UtterancePanel::alignmentRequested, this, [this](UtteranceId id) {
        showAlignments();
        m_alignmentsPanel->reveal(id);
        const OpenUtterance* utterance = m_parts.session->utterances()->find(id);
        if (utterance && utterance->alignmentReport && !utterance->alignmentReport->findings.empty()) {
            const auto* worst = utterance->worstFinding();
            m_alignments->show(id, worst ? *worst : utterance->alignmentReport->findings.front());
        }
    });
    const auto follow = [this] { m_utterances->setCurrent(m_parts.session->currentUtteranceId()); };
    connect(session, &Session::currentUtteranceChanged, this, follow);
    connect(session, &Session::utteranceAdded, this, follow);
    connect(session, &Session::utteranceRemoved, this, follow);
    connect(session, &Session::utteranceChanged, this, follow);
    follow();
    m_utterances->setFailureOf([this](UtteranceId id) {
        const AnalysisResult* result = m_parts.analysis->result(id, m_parts.session->currentModelId());
        return result && result->state == AnalysisResult::State::Failed && result->code != QLatin1String("maps.missing") ? result->sentence
                                                                                                                         : QString();
    });
    connect(m_parts.analysis, &AnalysisService::resultChanged, m_utterances, [this](UtteranceId, ModelId model) {
        if (model == m_parts.session->currentModelId())
            m_utterances->showFailures();
    });
    connect(session, &Session::currentModelChanged, m_utterances, &UtterancePanel::showFailures);
}

void OpenedController::makeModels() {
    Session* session = m_parts.session;
    m_docks.models = new Dock(QStringLiteral("models"), tr("Models"), m_models, m_parts.window);
    addOpenButton(m_docks.models, m_parts.actions->openModel, tr("Open a model…"));
    connect(m_models, &ModelPanel::chosen, session, &Session::setCurrentModel);
    connect(m_models, &ModelPanel::removeRequested, session, [session](ModelId id) { removeModel(session, id); });
    connect(m_models, &ModelPanel::showInFolderRequested, this, &OpenedController::showInFolderRequested);
    connect(m_models, &ModelPanel::locateRequested, session, &Session::locateModelRequested);
    connect(m_models, &ModelPanel::languageChosen, session,
            [session](const std::filesystem::path& model) { session->setCurrentModel(session->openModel(model)); });
    const auto follow = [this] { m_models->setCurrent(m_parts.session->currentModelId()); };
    connect(session, &Session::currentModelChanged, this, follow);
    connect(session, &Session::modelAdded, this, follow);
}

void OpenedController::makeAlignments() {
    m_docks.alignments =
        new Dock(QStringLiteral("alignments"), tr("Alignments"), m_alignmentsPanel, m_parts.window);
    m_docks.alignments->addHideButton(tr("Hide the alignments"));
    connect(m_alignmentsPanel, &AlignmentsPanel::headlineChanged, this,
            [this] { m_docks.alignments->header()->setDetail(m_alignmentsPanel->headline()); });
    connect(m_alignmentsPanel, &AlignmentsPanel::saved, this,
            [this](const QString& file) { announceSaved(m_parts.session->messages(), file); });
    connect(m_alignmentsPanel, &AlignmentsPanel::problem, this, [this](const QString& sentence) {
        m_parts.session->messages()->post(Severity::Error, sentence);
        Q_EMIT messagesRequested();
    });
    connect(m_parts.actions->alignments, &QAction::triggered, this, &OpenedController::showAlignments);
    connect(m_parts.actions->analyseAgain, &QAction::triggered, m_alignments, &AlignmentStore::readChanged);
    connect(m_parts.actions->analyseAgain, &QAction::triggered, m_recordings, &RecordingWatch::look);
    connect(m_parts.actions->analyseAgain, &QAction::triggered, m_parts.session, &Session::retryFailed);
}

QAction* OpenedController::alignAction() const {
    return m_utterances->alignAction();
}

QList<Actions::Listed> OpenedController::rowActions() const {
    QList<Actions::Listed> listed;
    const auto add = [&listed](const ListPanel* panel, const QString& section) {
        for (QAction* action : panel->view()->actions())
            if (!action->menu()) // its entries are made for the row
                listed.push_back({action, section});
    };
    add(m_utterances, m_docks.utterances->windowTitle());
    add(m_models, m_docks.models->windowTitle());
    return listed;
}

void OpenedController::showAlignments() {
    m_parts.actions->analyseWorkspace->trigger();
    showDock(m_parts.window, m_docks.alignments, kAlignmentsHeight);
}

void OpenedController::showCurrentAlignment() {
    showAlignments();
    m_alignmentsPanel->reveal(m_parts.session->currentUtteranceId());
}

void OpenedController::saveView(nlohmann::json& view) const {
    view["phoneMap"] = m_alignments->state();
}

void OpenedController::restoreView(const nlohmann::json& view) {
    m_alignments->restore(view.value("phoneMap", nlohmann::json()));
}

bool OpenedController::isPending() const {
    return m_alignments->isPending() || m_recordings->isPending();
}

} // namespace headroom::app
