// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/jobs/analysis_service.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <vector>

namespace headroom::app {

/// What a curve D(w) is of. A value.
struct CurveOf {
    ModelId model = ModelId::None;
    int layer = 1; ///< from 1
    MapSource source;
    UtteranceId utterance = UtteranceId::None;
    std::optional<Part> part = {}; ///< of the recording; nothing: all of it
    QString text = {};             ///< of a text: what it said
    bool operator==(const CurveOf&) const = default;
};

/// The curve of a layer of an open model, of what is analysed of the utterance now.
CurveOf curveOf(const Session& session, const AnalysisService& analysis, ModelId model, int layer, const MapSource& source,
                UtteranceId utterance);

/// The length of a token of this model's maps; 0 where tokens have none in time or nothing is known yet.
double millisecondsPerToken(const OpenModel& model, const AnalysisResult* result);

/// A curve with its numbers, so that it stays what it was when another part of the recording is analysed. A value.
struct KeptCurve {
    CurveOf of;
    DiagonalProfile profile; ///< empty: not known yet
    double millisecondsPerToken = 0;
    bool isAttention = false; ///< where contributions are chosen: imported maps without them have attention
};

/// The curve with its numbers, if they were measured of the same; otherwise without.
KeptCurve curveNow(const Session& session, const AnalysisService& analysis, const CurveOf& of);

/// The kept curves of what is open, for the view of a session, which names utterances and models by their place in its lists.
nlohmann::json keptView(const std::vector<KeptCurve>& kept, const Session& session);
/// Those that fit; the session has its lists already.
std::vector<KeptCurve> keptIn(const nlohmann::json& view, const Session& session);

} // namespace headroom::app
