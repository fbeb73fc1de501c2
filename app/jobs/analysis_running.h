// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/jobs/analysis_service.h"

namespace headroom::app {

/// The request that is with the worker. Shared with its callbacks: one that was abandoned still gets its
/// answer, and drops it.
struct AnalysisService::Running {
    Request asked;
    RequestId request = 0;
    std::optional<Part> part;
    std::vector<int> layers; ///< asked for, in the worker's order
    int arrived = 0;         ///< layers that came
    int building = 0;        ///< of these, still on the thread pool
    bool answered = false;
    bool abandoned = false;
    QString mistake; ///< an answer that cannot be used
    WorkerReply reply;
    Seconds start{0};   ///< of the samples in the recording
    std::shared_ptr<const Alignment> alignment; ///< Mixing of its words or phones; else null
    QString wantedText; ///< Words
};

/// The words or phones of an alignment, in seconds from the start of the samples.
std::vector<std::pair<double, double>> unitsOf(const Alignment& alignment, MixingUnits units, Seconds start);

} // namespace headroom::app
