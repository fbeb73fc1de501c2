// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/alignment/phone_map.h"
#include "training/studies/study_work.h"

namespace headroom::training {

/// How `heads` measures an utterance.
struct HeadsMeasuring {
    bool removeSilence =
        false; ///< CAD of the map without silence (needs an alignment), else of the whole one
    int relevanceNorm = 2;
    bool augment =
        false; ///< SpecAugment (LibriSpeech basic) on the features, drawn from the recording's hash
    PhoneMap phones;
};

/// Nodes of D(r), r = 0, 0.01 … 1.
inline constexpr int kCurveNodes = 101;

/// Measures one utterance as named arrays: `cad`, `entropy`, `mean_distance`, `maximum`, `silence_share` f64
/// [L, H]; `curve` f64 [L, H, R]; `relevance` f32 [L, N, H]; `pair` f64 [L, H, 3], the strongest pair off the
/// diagonal (of spoken tokens if silence is removed): query, key, weight. H is the largest number of heads of
/// a layer; missing heads and undefined numbers are NaN. The share on silence needs phones.
Measurement measureHeads(LayerSource& source, const StudyInput& input, const HeadsMeasuring& how,
                         const models::CancelFlag& cancel);

} // namespace headroom::training
