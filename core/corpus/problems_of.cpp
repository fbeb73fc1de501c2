// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/corpus/problems_of.h"

namespace headroom {

std::vector<CorpusProblem> problemsOf(const Corpus& corpus, const std::string& task, const std::set<std::string>& splits) {
    std::set<std::string> others;
    for (const CorpusTable& table : corpus.tables())
        if ((!task.empty() && table.task != task) || (!splits.empty() && !splits.contains(table.split)))
            others.insert(corpusTableName(table.split, table.task));
    std::vector<CorpusProblem> problems;
    for (const CorpusProblem& problem : corpus.problems())
        if (!others.contains(problem.file))
            problems.push_back(problem);
    return problems;
}

} // namespace headroom
