// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/networks/speech_model.h"

namespace headroom::benchmarks {

/// The bare forward pass beside which analyses are measured: with explicit maps, as what is analysed has them. encode()
/// does not store maps where it need not.
inline void explicitPass(models::SpeechModel& model, MatrixView<const float> features) {
    models::AnalysisOptions one; // of one layer the profiles of the maps, which cost next to nothing
    one.explain = false;
    one.layers = {1};
    model.analyse(features, one, [](models::LayerAnalysis&&) {});
}

} // namespace headroom::benchmarks
