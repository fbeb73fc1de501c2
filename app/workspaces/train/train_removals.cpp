// SPDX-License-Identifier: GPL-3.0-or-later
// Runs and evaluations that are moved to the wastebasket, and come back.
#include "app/documents/paths.h"
#include "app/documents/session.h"
#include "app/documents/wastebasket.h"
#include "app/runs/run_names.h"
#include "app/workspaces/train/train_workspace.h"
#include "widgets/run_monitor/run_words.h"

namespace headroom::app {

using widgets::RunItem;
namespace fs = std::filesystem;

/// The open model that a run wrote; null if it is not open.
const OpenModel* TrainWorkspace::openModelOf(const fs::path& run) const {
    return m_parts.session->models()->of(normalised(RunPaths{run}.model()));
}

void TrainWorkspace::removeRuns(const std::vector<fs::path>& folders) {
    std::vector<InWastebasket> moved;
    QStringList opened;
    QString name;
    for (const fs::path& folder : folders) {
        const RunItem* run = m_store.find(folder);
        const EvaluationInfo* evaluation = m_store.findEvaluation(folder);
        const QString title = run          ? widgets::runTitle(*run)
                              : evaluation ? evaluationTitle(evaluation->request, m_store.runs())
                                           : toQString(folder.filename());
        InWastebasket one;
        const QString sentence = m_queue.moveToWastebasket(folder, &one);
        say(sentence);
        if (!sentence.isEmpty())
            continue;
        name = title;
        moved.push_back(one);
        if (const OpenModel* model = openModelOf(folder))
            opened << model->shownName();
    }
    announceMoved(
        m_parts.session->messages(), moved, name, tr("Moved %1 runs to the wastebasket."),
        [this](const InWastebasket& one) {
            const QString sentence = m_queue.bringBack(one);
            say(sentence);
            // What was asked of the model meanwhile failed: it is opened anew.
            if (const OpenModel* model = openModelOf(one.folder); model && sentence.isEmpty())
                m_parts.session->setModelFolder(model->id, model->folder);
        },
        opened.isEmpty()      ? QString()
        : moved.size() == 1 ? tr("Its model is open in Analyse, where nothing more can be computed with it.")
                            : tr("Open in Analyse, where nothing more can be computed with them: %1.").arg(opened.join(QStringLiteral("; "))));
}

} // namespace headroom::app
