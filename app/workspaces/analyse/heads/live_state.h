// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/session.h"
#include "app/jobs/analysis_service.h"

#include <QString>

#include <vector>

namespace headroom::app {

class MetricsNote;
class LiveMetrics;

/// Why `what` cannot be shown for the current utterance and model; empty if it can. Window's thread.
QString whyNothingLive(const Session& session, const AnalysisService& analysis, const QString& what);
/// "Alignment: built-in aligner, median error 25 ms …"; empty where it does not say who made it. Null: empty.
QString alignmentText(const OpenUtterance* utterance);
/// Offers “Read all layers” where layers are missing, and shows how far they are while they are read.
void showMissingLayers(MetricsNote* note, const LiveMetrics& live, const std::vector<int>& missing);

} // namespace headroom::app
