// SPDX-License-Identifier: GPL-3.0-or-later
// What is asked of evaluations: a new one, those in the tables, and the errors of one.
#include "app/documents/items/paths.h"
#include "app/documents/session.h"
#include "app/parts/path_question.h"
#include "app/settings/app_settings.h"
#include "app/workspaces/train/evaluate/error_browser.h"
#include "app/workspaces/train/evaluate/evaluate_dialog.h"
#include "app/workspaces/train/train_workspace.h"
#include "widgets/run_monitor/run_words.h"

#include <algorithm>

namespace headroom::app {

using widgets::QueueModel;
using widgets::RunItem;
namespace fs = std::filesystem;

/// What is asked of an evaluation. False: this is none.
bool TrainWorkspace::handleEvaluation(QueueModel::Button button, const fs::path& path) {
    const EvaluationInfo* evaluation = m_store.findEvaluation(path);
    if (!evaluation)
        return false;
    switch (button) {
    case QueueModel::Button::Stop:
        say(m_queue.stop(path));
        showRuns();
        break;
    case QueueModel::Button::TryNow:
        say(m_queue.tryNow(path));
        break;
    case QueueModel::Button::Resume:
        say(m_queue.watchAgain(*evaluation, m_store.elsewhere(path).place));
        break;
    case QueueModel::Button::Errors:
        showErrors(path)->show();
        break;
    case QueueModel::Button::Folder:
        Q_EMIT showInFolderRequested(toQString(path));
        break;
    case QueueModel::Button::Delete:
        removeRuns({path});
        break;
    default:
        break;
    }
    return true;
}

EvaluateDialog* TrainWorkspace::askEvaluation(const fs::path& chosen) {
    std::vector<EvaluateDialog::Model> models;
    std::error_code ignored;
    for (const RunItem& run : m_store.runs())
        if (run.hasModel)
            models.push_back({widgets::runTitle(run), RunPaths{run.folder}.model(),
                              fs::exists(RunPaths{run.folder}.checkpoints() / "last.safetensors", ignored),
                              run.info.data, run.task});
    const ModelList* opened = m_parts.session->models();
    for (int row = 0; row < opened->count(); ++row)
        if (const fs::path& folder = opened->at(row).folder;
            !opened->at(row).maps && // which have no weights
            std::none_of(models.begin(), models.end(), [&](const auto& one) { return normalised(one.folder) == normalised(folder); }))
            models.push_back({opened->at(row).shownName(), folder, false, {}, {}});
    auto* dialog = new EvaluateDialog(std::move(models), m_parts.settings->offeredCorpora(), m_parts.places, m_parts.devices, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setPathQuestion(pathQuestion(m_parts.settings, dialog));
    if (!chosen.empty() && !dialog->chooseModel(chosen)) // another one in its place would be evaluated by mistake
        dialog->chooseNoModel(whyNoModel(chosen));
    const QString form = QStringLiteral("evaluate");
    dialog->restore(m_parts.settings->formState(form));
    connect(dialog, &EvaluateDialog::startRequested, this, [this, dialog, form](const EvaluationRequest& request) {
        m_parts.settings->setFormState(form, dialog->state());
        m_parts.settings->addRecentCorpus(toQString(request.data));
        say(m_queue.evaluate(request));
    });
    return dialog;
}

/// The model that the chosen row is, or will be, about; empty: no row is chosen.
fs::path TrainWorkspace::currentModel() const {
    if (const EvaluationInfo* evaluation = m_store.findEvaluation(m_current))
        return evaluation->request.model;
    const widgets::WaitingItem* job = m_store.findWaiting(m_current);
    if (job && job->evaluates)
        return job->evaluation.model;
    return job || m_store.find(m_current) ? RunPaths{runOfRow(m_current)}.model() : fs::path();
}

QString TrainWorkspace::whyNoModel(const fs::path& model) const {
    if (const RunItem* run = m_store.find(model.parent_path()))
        return tr("“%1” has no trained model yet. Choose another model.").arg(widgets::runTitle(*run));
    for (const widgets::WaitingItem& job : m_store.waiting())
        if (job.run == model.parent_path())
            return tr("“%1” has not started, so it has no model yet. Choose another model.").arg(job.name);
    return tr("%1 is not here. Choose another model.").arg(toQString(model));
}

ErrorBrowser* TrainWorkspace::showErrors(const fs::path& evaluation) {
    auto* browser = new ErrorBrowser(evaluation, this);
    browser->setAttribute(Qt::WA_DeleteOnClose);
    if (const EvaluationInfo* known = m_store.findEvaluation(evaluation)) // called as in Queue and Runs
        browser->setWindowTitle(tr("Errors: %1").arg(m_store.titleOf(*known)));
    connect(browser, &ErrorBrowser::openRequested, this,
            [this, browser](const fs::path& model, const CorpusUtterance& utterance) {
                browser->close(); // a dialogue stays above the window, and would hide what it opened
                Q_EMIT openUtteranceRequested(model, utterance);
            });
    return browser;
}

} // namespace headroom::app
