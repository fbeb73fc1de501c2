// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/items/analysis.h"

namespace headroom::widgets {
class LayerMatrixView;
}

namespace headroom::app {

struct OpenModel;

/// What a map in the middle is of, for the line below a figure. Everything borrowed; null where there is
/// none.
struct DrawnMap {
    MapSource source;
    const OpenModel* model = nullptr;
    int layer = 0; ///< from 1
    UtteranceId utterance = UtteranceId::None;
    const AnalysisResult* result = nullptr;
    const widgets::LayerMatrixView* view = nullptr;
};

} // namespace headroom::app
