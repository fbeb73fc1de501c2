// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/drafts.h"
#include "widgets/curves/windows_model.h"

#include <vector>

namespace headroom::app {

struct AnalysisResult;
class AnalysisService;
class Session;

/// The analyses that speak for a model: those of every open utterance that it has read whole, and that of the
/// current utterance as soon as its first layer is there. Borrowed until the next signal of `analysis`.
std::vector<const AnalysisResult*> analysesOf(const Session& session, const AnalysisService& analysis,
                                              ModelId model);

/// One row per layer of `draft`, over analysesOf(model): Algorithm 1's statistic, its window and CL, and the
/// draft's own heads. The one source of suggested windows: the table, the band, both actions in ANALYSE and
/// DESIGN ask WindowsRow::suggestion(). Empty if there is no such draft or nothing has been read.
std::vector<widgets::WindowsRow> windowsRows(const Session& session, const AnalysisService& analysis,
                                             ModelId model, DraftKey draft);

} // namespace headroom::app
