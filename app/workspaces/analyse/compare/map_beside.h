// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/session.h"
#include "app/jobs/analysis_service.h"
#include "app/workspaces/analyse/compare/compared_map.h"
#include "app/workspaces/analyse/compare/comparison.h"
#include "app/workspaces/analyse/compare/map_difference.h"

namespace headroom::app {

/// The side of a comparison (B), as far as it is here. Borrowed until session or analysis change. Window's thread.
struct MapBeside {
    Comparison::Side side;
    UtteranceId utterance = UtteranceId::None;
    MapSource source;
    const OpenModel* model = nullptr;
    const AnalysisResult* result = nullptr;
    const LayerResult* layer = nullptr;
    std::shared_ptr<const MaxPyramid> map;
    TokenClock clock;
};
MapBeside mapBeside(const Comparison::Side& side, const Session& session, const AnalysisService& analysis);

/// One text in the tokens of two models that cut it differently.
bool hasOtherTokens(const MapBeside& b, const AnalysisResult* current);
/// The tokens of a map, to ask whether it may be subtracted. `model`, `result`: null where there is none.
ComparedTokens comparedTokens(const OpenModel* model, UtteranceId utterance, const AnalysisResult* result, bool hasMap);

/// The maps of B's layer and model, and the other open recordings or texts that its model reads, for its fields.
std::vector<ComparedMap::Choice<MapSource>> offeredMaps(const MapBeside& b);
std::vector<ComparedMap::Choice<UtteranceId>> offeredUtterances(const MapBeside& b, const Session& session);

/// Why B has no map, or what has to happen before it has one. A sentence.
QString missingMapSentence(const MapBeside& b, const Session& session);

} // namespace headroom::app
