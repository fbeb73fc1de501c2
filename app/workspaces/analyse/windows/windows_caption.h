// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/jobs/analysis_service.h"
#include "app/studies/windows_rows.h"
#include "app/workspaces/analyse/compare/kept_curves.h"
#include "app/workspaces/analyse/windows/windows_panel.h"

#include <QString>

#include <vector>

namespace headroom::app {

/// Below a figure of the plots: every model and recording whose curves are drawn, with hash and N, and whose windows are converted to
/// tokens of the current model. `measured`: "contributions"; `curves[i]`: what `content.compared[i]` is of.
QString windowsCaption(const Session& session, const AnalysisService& analysis, const WindowsPanel::Content& content,
                       const QString& measured, const std::vector<CurveOf>& curves);

/// What suggested windows are found over, behind a window: "over 4 open utterances, 1 of them a selection".
QString basisOf(const WindowSuggestions& suggestions);
/// The same; empty: over `shown` alone.
QString suggestedOver(const AnalysisService& analysis, const WindowSuggestions& suggestions, ModelId model, UtteranceId shown);

} // namespace headroom::app
