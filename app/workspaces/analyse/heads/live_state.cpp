// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/heads/live_state.h"

#include "app/documents/items/why_no_map.h"
#include "app/workspaces/analyse/common/metrics_note.h"
#include "app/workspaces/analyse/heads/live_metrics.h"

namespace headroom::app {

QString whyNothingLive(const Session& session, const AnalysisService& analysis, const QString& what) {
    const OpenModel* model = session.currentModel();
    const OpenUtterance* utterance = session.currentUtterance();
    if (!model || !utterance)
        return LiveMetrics::tr("%1: open a model and an utterance.").arg(what);
    if (model->state == OpenState::Failed)
        return LiveMetrics::tr("%1 could not be opened. See Models for the reason.").arg(model->shownName());
    if (utterance->state == OpenState::Failed)
        return LiveMetrics::tr("%1 could not be read. See Utterances for the reason.").arg(utterance->shownName());
    if (model->info && utterance->state == OpenState::Ready)
        if (const QString why = whyNotSource(*model, *utterance); !why.isEmpty())
            return why;
    const AnalysisResult* result = analysis.current();
    if (result && result->state == AnalysisResult::State::Failed)
        return result->sentence;
    if (result && result->state == AnalysisResult::State::Cancelled && result->readyLayers() == 0)
        return LiveMetrics::tr("Cancelled before the first layer finished.");
    if (!model->info || !result || result->readyLayers() == 0)
        return LiveMetrics::tr("Analysing…");
    return {};
}

QString alignmentText(const OpenUtterance* utterance) {
    return utterance && utterance->alignment && !utterance->alignment->origin.empty()
               ? LiveMetrics::tr("Alignment: %1.").arg(QString::fromStdString(utterance->alignment->origin))
               : QString();
}

void showMissingLayers(MetricsNote* note, const LiveMetrics& live, const std::vector<int>& missing) {
    note->setProgress(live.knownLayers(), live.isReadingAll() && !missing.empty() ? live.layerCount() : 0);
    note->setOffer(missing.empty() ? QString() : LiveMetrics::tr("Load all layers"));
}

} // namespace headroom::app
