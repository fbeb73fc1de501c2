// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/experiments/experiment_corpora.h"
#include "core/experiments/training_hours.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace headroom {

/// What an experiment will do: the steps that its corpora allow, and how much their trainings compute.
struct ExperimentWork {
    struct Training {
        const PlannedStep* step; ///< of the plan
        std::optional<CorpusExtent> extent;
        TrainingWork work;
    };
    std::vector<Training> trainings;           ///< in the order of the plan
    int steps = 0, studies = 0, decodings = 0; ///< without those that are left out; `steps` counts every kind
    double frames = 0;                         ///< of all trainings
    bool atMost = false;                       ///< some may end earlier
    std::map<std::string, std::string> leftOut; ///< id of a step → why the corpora do not allow it
};

/// The terminal (`experiment`, `--hours`) and the window both count with this. Corpora of speech are counted,
/// text and those of language models are taken as published. `corpora` null, or without any corpus: every
/// step is counted, with the published sizes. Borrows the plan. Reads the tables of the corpora: blocks on
/// the disk. Throws what Corpus::open throws.
ExperimentWork workOf(const ExperimentPlan& plan, const ExperimentCorpora* corpora);

} // namespace headroom
