// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/run_monitor/run_item.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace headroom::app {

/// Gives all runs of an experiment the name that the user gave one of them (the newest counts), and makes the names of
/// runs tell them apart: a branch is called after the run of whose checkpoint it is, and the update; where runs of several
/// experiments (RunItem::group) have one name, each name is followed by what differs of layers and heads, recipe, task, data, length and start, then by the values of
/// the recipe that differ, or by the time when the experiment was begun, or by a number. The seeds of one experiment keep one name; RunItem::repeat tells runs of one seed
/// apart. `begun`: from there on they are jobs that wait, in the order of the queue. A name under which a run was started
/// (RunItem::called) is not changed, unless the user does.
void tellApart(std::vector<widgets::RunItem>& runs, std::optional<std::size_t> begun = std::nullopt);

/// The name under which a new run is started: that of its experiment, if there is one, else that of its architecture, or of a branch
/// that of its run and the update, with what tells it apart from `known`, which are told apart themselves. Empty: its experiment
/// has a name that the user gave it, and no other.
QString nameAtStart(const widgets::RunItem& fresh, const std::vector<widgets::RunItem>& known);

/// What renaming the runs in the folders `renamed` does to kept names: branches that are called after one of them get its new name in
/// RunItem::called, and branches of these theirs. Returns those that changed. `runs`: told apart; from `begun` on they are jobs that wait.
/// `given`: the new name; empty: none.
std::vector<widgets::RunItem> branchesRenamed(const std::vector<widgets::RunItem>& runs, std::size_t begun,
                                              const std::vector<std::filesystem::path>& renamed, const QString& given);

/// "2026-11-21T10:31:05Z" → "2026-11-21 10:31:05".
QString timeInName(const std::string& utc);

/// What a run is called whose model this is: its model/, whose time is left out, as the queue has an order of its own. A model of none of
/// `runs` is called as its folder.
QString nameOfModel(const std::filesystem::path& model, const std::vector<widgets::RunItem>& runs);

} // namespace headroom::app
