// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/studies/input.h"
#include "training/studies/measurement_cache.h"
#include "training/studies/study_request.h"

#include <map>
#include <span>
#include <string>

namespace headroom::training {

/// What measuring needs besides the study.
struct Measuring {
    const StudyWork& work;
    std::span<const std::unique_ptr<LayerSource>> sources; ///< one per model
    const MeasurementCache& cache;
    std::int64_t threads = 1;
    const StudyListener& listener;
    /// Called with progress, as often as the listener (for progress.json).
    std::function<void(const StudyProgress&)> onProgress;
    /// Whether a stop is requested; polled a few times a second.
    std::function<bool()> stop;
};

struct Measured {
    std::vector<ModelMeasurements> models;
    std::vector<std::string> notes;
    /// The sources of the alignments and their accuracy (Alignment::origin; "": unknown), each with its
    /// number of utterances. Empty for a kind that reads none.
    std::map<std::string, std::int64_t> origins;
    StudyProgress progress; ///< at the end
    bool stopped = false;   ///< measurements so far are in the cache
};

/// Measures every utterance of the study through every model, the longest first, on several threads, each
/// with its own source and one processor. Cached measurements are reused. Fills hash, seconds, tokens and
/// error of the utterances. An utterance that fails in one model is left out of all. The result does not
/// depend on the number of threads. Throws errors that affect more than one utterance (the cache's folder).
Measured measureAll(Study& study, const Measuring& how);

} // namespace headroom::training
