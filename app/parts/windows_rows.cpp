// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/parts/windows_rows.h"

#include "app/documents/session.h"
#include "app/jobs/analysis_service.h"
#include "core/architecture/edits.h"

namespace headroom::app {

std::vector<const AnalysisResult*> analysesOf(const Session& session, const AnalysisService& analysis,
                                              ModelId model) {
    std::vector<const AnalysisResult*> found;
    for (int row = 0; row < session.utterances()->count(); ++row) {
        const UtteranceId id = session.utterances()->at(row).id;
        const AnalysisResult* result = analysis.result(id, model);
        if (result && (result->state == AnalysisResult::State::Ready ||
                       (id == session.currentUtteranceId() && result->readyLayers() > 0)))
            found.push_back(result);
    }
    return found;
}

std::vector<widgets::WindowsRow> windowsRows(const Session& session, const AnalysisService& analysis,
                                             ModelId model, DraftKey draft) {
    const std::vector<const AnalysisResult*> results = analysesOf(session, analysis, model);
    if (results.empty() || !session.drafts()->has(draft))
        return {};
    const AnalysisResult* current = analysis.result(session.currentUtteranceId(), model);
    const HeadGrid& grid = session.drafts()->grid(draft);
    std::vector<widgets::WindowsRow> rows;
    for (int number = 1; number <= grid.layerCount(); ++number) {
        std::vector<DiagonalProfile> profiles;
        std::size_t here = results.size();
        for (const AnalysisResult* result : results) {
            if (result == current)
                here = profiles.size();
            const LayerResult* layer = result->layer(number);
            profiles.push_back(layer ? layer->profile : DiagonalProfile());
        }
        const std::vector<HeadGroup>& heads = grid.layer(number).heads;
        widgets::WindowsRow row = widgets::windowsRow(profiles, here);
        row.takesWindow = takesWindow(heads);
        row.inDesign = QString::fromStdString(toText(heads));
        row.window = windowOf(heads).value_or(0);
        rows.push_back(std::move(row));
    }
    return rows;
}

} // namespace headroom::app
