// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/corpus/corpus_document.h"
#include "core/experiments/plan.h"
#include "core/experiments/experiment_paths.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace headroom::training {

/// The corpora of an experiment in its data folder: D/NAME, or D itself. Tasks are found by language, splits by the names that
/// the experiment allows. At a scale below 1 a smaller corpus is made in the experiment's folder, with links to the recordings, and
/// another language may stand in for one that a corpus lacks.
class ExperimentData {
public:
    /// Looks for every corpus. Throws Error "experiment.data" if none is there, "corpus.…" for one that cannot be read.
    ExperimentData(const ExperimentPlan& plan, std::filesystem::path data, const ExperimentPaths& paths);

    /// Why a step cannot be done with these data, one sentence; empty if it can.
    std::string missingFor(const ExperimentStep& step) const;
    /// The corpus of a step that misses nothing; makes the smaller one where it is needed.
    std::filesystem::path corpus(const ExperimentStep& step) const;
    /// The corpus in the data folder, whole.
    std::filesystem::path folder(const ExperimentStep& step) const { return m_corpora.at(step.corpus).folder; }
    std::string task(const ExperimentStep& step) const;
    /// The split that is decoded or studied.
    std::string split(const ExperimentStep& step) const;
    std::string trainingSplit(const ExperimentStep& step) const;
    std::string validationSplit(const ExperimentStep& step) const;
    std::filesystem::path languageModel(const ExperimentStep& step) const;

    /// One sentence for each corpus and split that stands in for another one.
    std::vector<std::string> notes() const;
    /// SHA-256 of the tables of each corpus, by name.
    nlohmann::json hashes() const;

private:
    struct Found {
        std::filesystem::path folder;
        CorpusDocument document;
        std::string missing; ///< why it is not there
    };
    Found look(const ExperimentCorpus& corpus) const;
    std::optional<std::string> splitOf(const Found& found, const std::vector<std::string>& names) const;
    std::optional<std::string> taskOf(const Found& found, const ExperimentStep& step) const;
    /// Whether there is SPLIT_lm.txt, plain or compressed.
    static bool hasSentences(const Found& found, const std::string& split);
    void makeSmaller(const Found& found, const std::string& name) const;

    const ExperimentPlan& m_plan;
    std::filesystem::path m_data;
    const ExperimentPaths& m_paths;
    std::map<std::string, Found> m_corpora;
};

} // namespace headroom::training
