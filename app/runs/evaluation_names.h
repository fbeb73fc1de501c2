// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/runs/evaluations.h"
#include "widgets/run_monitor/run_item.h"

#include <filesystem>
#include <map>
#include <vector>

namespace headroom::app {

/// "greedy", "beam 5, CTC weight 0.3": how the texts are searched and scored, as far as it is not the default. `runs`: as below.
QString decodingText(const EvaluationRequest& request, const std::vector<widgets::RunItem>& runs = {});

/// "test", or "test of other, st_de": the split, with a corpus and a task that are not those of `run`, whose model it is. Null:
/// they are always named.
QString evaluatedText(const EvaluationRequest& request, const widgets::RunItem* run);

/// "Evaluate local-17, seed 1, on test of digits, asr, beam 5": always model, split, corpus and task, so that the names of jobs
/// are alike. `runs`: a run whose model it is gives its name, else its folder does.
QString evaluationTitle(const EvaluationRequest& request, const std::vector<widgets::RunItem>& runs = {});
/// Also the weights, if they were recorded: a run that goes on has others. "Evaluate local-17, seed 1, at update 100, on test of digits, asr";
/// of a mean ", mean of 2 checkpoints, the last of update 100, on test …", which is another model than update 100.
QString evaluationTitle(const EvaluationInfo& evaluation, const std::vector<widgets::RunItem>& runs = {});
/// For a narrow column: "local-17, seed 1 … on test…".
QString briefEvaluationTitle(const EvaluationRequest& request, const std::vector<widgets::RunItem>& runs);

/// The titles of all evaluations of a folder, by their own folders. Where several that have ended have one title, as those that did not
/// record their weights, each is followed by when its evaluation ended, "2026-11-21 10:31:05" (UTC).
std::map<std::filesystem::path, QString> evaluationTitles(const std::vector<EvaluationInfo>& evaluations, const std::vector<widgets::RunItem>& runs);

} // namespace headroom::app
