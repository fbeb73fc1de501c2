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
    /// Told about progress besides the listener (progress.json), as often.
    std::function<void(const StudyProgress&)> tell;
    /// Whether somebody asks for a stop, polled a few times a second.
    std::function<bool()> stop;
};

struct Measured {
    std::vector<ModelMeasurements> models;
    std::vector<std::string> notes;
    /// Who made the alignments that were read, and how good they are (Alignment::origin; "": not known), each
    /// with its utterances. Empty for a kind that reads none.
    std::map<std::string, std::int64_t> origins;
    StudyProgress progress; ///< at the end
    bool stopped = false;   ///< what was measured is in the cache
};

/// Measures every utterance of the study through every model, the longest first, on several threads each with
/// a source of its own and one processor; what is in the cache is not measured again. Fills hash, seconds,
/// tokens and error of the utterances. One that fails in one model is left out of all. The result does not
/// depend on the number of threads. Throws what is wrong with more than one utterance (the cache's folder).
Measured measureAll(Study& study, const Measuring& how);

} // namespace headroom::training
