// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/jobs/analysis_service.h"
#include "app/workspaces/analyse/compare/comparison.h"
#include "app/workspaces/analyse/compare/kept_curves.h"
#include "widgets/curves/diagonality_plot.h"

#include <vector>

namespace headroom::app {

/// The curves beside the current layer's: other ticked models at this layer, what is compared, what was kept;
/// each once, where its profile is known. `of[i]` is what `curves[i]` is of. Where some are of a part of a recording, names say of
/// which.
struct ComparedCurves {
    widgets::DiagonalityPlot::Compared own; ///< name and style of the current layer's
    std::vector<widgets::DiagonalityPlot::Compared> curves;
    std::vector<CurveOf> of;
    bool severalMeasures = false; ///< not all curves and ticked models are of contributions, or of attention: each name says its own
};
/// "contributions"; "attention" of maps from elsewhere that have no others; both where its layers differ.
QString drawnMeasures(const AnalysisResult& read);
ComparedCurves comparedCurves(const Session& session, const AnalysisService& analysis,
                              const std::optional<Comparison::Side>& side, const std::vector<KeptCurve>& kept);

} // namespace headroom::app
