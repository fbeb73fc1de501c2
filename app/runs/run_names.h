// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/runs/evaluations.h"
#include "widgets/run_monitor/run_item.h"

#include <optional>
#include <vector>

namespace headroom::app {

/// Gives all runs of an experiment the name that the user gave one of them (the newest counts), and makes the names of
/// runs tell them apart: a branch is called after the run of whose checkpoint it is, and the update; where runs of several
/// experiments (RunItem::group) have one name, each name is followed by what differs of recipe, task, data, length and start, then by the values of
/// the recipe that differ, or by the time when the experiment was begun, or by a number. The seeds of one experiment keep one name; RunItem::repeat tells runs of one seed
/// apart. `begun`: from there on they are jobs that wait, in the order of the queue. A name under which a run was started
/// (RunItem::called) is not changed, unless the user does.
void tellApart(std::vector<widgets::RunItem>& runs, std::optional<std::size_t> begun = std::nullopt);

/// The name under which a new run is started: that of its experiment, if there is one, else that of its architecture, or of a branch
/// that of its run and the update, with what tells it apart from `known`, which are told apart themselves. Empty: its experiment
/// has a name that the user gave it, and no other.
QString nameAtStart(const widgets::RunItem& fresh, const std::vector<widgets::RunItem>& known);

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

} // namespace headroom::app
