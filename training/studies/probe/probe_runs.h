// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/studies/places.h"
#include "training/studies/probe/phone_probe.h"
#include "training/studies/probe/probe_data.h"

#include <functional>
#include <vector>

namespace headroom::training {

/// How the probes of a study are trained.
struct ProbePlan {
    ProbeRecipe recipe; ///< its seed is that of the first run
    ProbeNorm norm = ProbeNorm::Standard;
    int seeds = 3;
    std::int64_t places = 8;
    int threads = 1; ///< layers in parallel
};

/// The results of the probes of one model.
struct ProbeFindings {
    std::int64_t trainTokens = 0, testTokens = 0;
    double majority = 0; ///< majority baseline: share of the test tokens in the most frequent training class
    std::vector<std::vector<double>> accuracy; ///< [L + 1][seed], of all test tokens, 0 … 1
    std::vector<Matrix<double>> confusion;     ///< [L + 1], [37, 37], summed over seeds
    std::vector<std::vector<double>> right;    ///< [L + 1][U]: correctly predicted test tokens, mean over
                                                ///< seeds
    std::vector<double> tested;                ///< [U], test tokens
    PlaceSet confused;                         ///< [L + 1, 37, 37], of all seeds, each token once per cell
};

/// Trains a probe on each layer for each seed. Calls `onProgress` on this thread with the number of trained probes.
/// The results do not depend on the number of threads. Throws models::Cancelled.
ProbeFindings trainProbes(const StudyModel& model, const std::vector<Measurement>& utterances,
                          const ProbeSplit& split, const ProbePlan& plan,
                          const std::function<void(std::int64_t trained)>& onProgress,
                          const models::CancelFlag& cancel);

} // namespace headroom::training
