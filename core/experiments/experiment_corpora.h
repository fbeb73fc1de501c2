// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/corpus/corpus_document.h"
#include "core/experiments/plan.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace headroom {

/// The corpora of an experiment in its data folder: D/NAME, or D itself. Tasks are found by language, splits
/// by the names that the experiment allows. At a scale below 1 another language may stand in for one that a
/// corpus lacks. Borrows the plan. Only reads; blocks on the disk.
class ExperimentCorpora {
public:
    /// Looks for every corpus; an experiment without corpora may have an empty path. Throws Error
    /// "experiment.noFolder" if the folder does not exist, and "corpus.…" for a corpus that cannot be read.
    ExperimentCorpora(const ExperimentPlan& plan, std::filesystem::path data);

    /// Whether at least one corpus is there, or none is needed.
    bool hasAny() const;
    /// Why steps cannot be done, one sentence for each reason.
    std::vector<std::string> missing() const;
    /// The steps that cannot be done with these data and those that need them: id → why, one sentence.
    std::map<std::string, std::string> leftOut() const;

    /// Why a step cannot be done with these data, one sentence; empty if it can.
    std::string missingFor(const ExperimentStep& step) const;
    /// The corpus in the data folder, whole.
    std::filesystem::path folder(const ExperimentStep& step) const {
        return m_corpora.at(step.corpus).folder;
    }
    std::string task(const ExperimentStep& step) const;
    /// The split that is decoded or studied.
    std::string split(const ExperimentStep& step) const;
    std::string trainingSplit(const ExperimentStep& step) const;
    std::string validationSplit(const ExperimentStep& step) const;
    std::filesystem::path languageModel(const ExperimentStep& step) const;

    /// One sentence for each corpus and split that stands in for another one.
    std::vector<std::string> notes() const;

protected:
    struct Found {
        std::filesystem::path folder; ///< empty: there is no corpus
        CorpusDocument document;
        std::string missing; ///< why it cannot be used
    };
    const std::map<std::string, Found>& found() const { return m_corpora; }
    const ExperimentPlan& plan() const { return m_plan; }
    std::optional<std::string> splitOf(const Found& found, const std::vector<std::string>& names) const;

private:
    std::string notIn(const std::vector<std::string>& names) const;
    Found look(const ExperimentCorpus& corpus) const;
    /// What a corpus lacks for a task that it does not have, one sentence.
    static std::string lackOf(const Found& found, const ExperimentCorpus& corpus, const std::string& task);
    std::optional<std::string> taskOf(const Found& found, const ExperimentStep& step) const;
    /// Whether there is SPLIT_lm.txt, plain or compressed.
    static bool hasSentences(const Found& found, const std::string& split);

    const ExperimentPlan& m_plan;
    std::filesystem::path m_data;
    std::map<std::string, Found> m_corpora;
};

/// The sentences with blanks between them.
std::string joinedSentences(const std::vector<std::string>& sentences);

} // namespace headroom
