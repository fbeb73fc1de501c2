// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/corpus/corpus.h"

#include <set>
#include <string>
#include <vector>

namespace headroom {

/// The problems of a corpus without those of tables that only other splits and tasks use: of them a copy at another machine need not have
/// the recordings. An empty task means every task, no splits every split.
std::vector<CorpusProblem> problemsOf(const Corpus& corpus, const std::string& task, const std::set<std::string>& splits);

} // namespace headroom
