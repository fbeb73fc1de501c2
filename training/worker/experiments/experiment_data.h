// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/experiments/experiment_corpora.h"
#include "core/experiments/experiment_paths.h"

#include <filesystem>
#include <string>

namespace headroom::training {

/// The corpora of an experiment as its steps read them: at a scale below 1 a smaller corpus is made in the
/// experiment's folder, with links to the recordings.
class ExperimentData : public ExperimentCorpora {
public:
    /// Throws what ExperimentCorpora throws, and Error "experiment.data" if no corpus can be used.
    ExperimentData(const ExperimentPlan& plan, const std::filesystem::path& data,
                   const ExperimentPaths& paths);

    /// The corpus of a step that misses nothing; makes the smaller one where it is needed.
    std::filesystem::path corpus(const ExperimentStep& step) const;
    /// SHA-256 of the tables of each corpus, by name.
    nlohmann::json hashes() const;

private:
    void makeSmaller(const Found& found, const std::string& name) const;

    const ExperimentPaths& m_paths;
};

} // namespace headroom::training
