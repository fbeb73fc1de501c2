// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/attention_statistics.h"
#include "training/studies/heads_measure.h"

namespace headroom::training {

/// How `heads` is summarised.
struct HeadsSummary {
    double split = kPhoneticBelow; ///< heads with a smaller mean CAD are phonetic
    RelevanceMode mode = RelevanceMode::Pooled;
    bool silenceRemoved = false, augmented = false; ///< as measured, for the captions
    std::vector<int> clusters;                      ///< as in estimateMean
};

/// Adds the arrays, places, tables and notes of one model (index `m`, from 0). Returns CAD, [L · H][U].
std::vector<std::vector<double>> summariseHeads(const Study& study, std::size_t m,
                                                const ModelMeasurements& measured, const HeadsSummary& how,
                                                StudyResults& results);

} // namespace headroom::training
