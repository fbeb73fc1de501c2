// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/runs/evaluations.h"
#include "core/runs/jobs.h"
#include "widgets/run_monitor/queue_items.h"
#include "widgets/run_monitor/run_item.h"

#include <QString>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace headroom::app {

// A run's folder as the registry keeps it. Reads only; any thread.

/// What changes when something is written into a run: if both are equal, it need not be read again.
struct RunStamp {
    /// Of run.json, the given and the kept name, control.json and place.json: when they changed, ns; 0: no run.json.
    std::int64_t run = 0;
    std::int64_t events = 0; ///< bytes of events.jsonl
    bool operator==(const RunStamp&) const = default;
};
RunStamp stampOf(const std::filesystem::path& folder);

/// Everything the table and the queue show of a run; curves are read apart. Documents that are missing or
/// damaged leave their fields unknown. Throws Error "run.missing", "run.badJson" where run.json itself cannot
/// be read.
widgets::RunItem readRunItem(const std::filesystem::path& folder);

/// The run that a waiting job will be, as far as its documents say: group, name, seed. nullopt for a job that is not a new run of
/// this machine's documents, or that cannot be read.
std::optional<widgets::RunItem> readJobItem(const std::filesystem::path& file, const std::filesystem::path& runs);
/// Likewise of a job that is being written, whose documents are there; without a time.
std::optional<widgets::RunItem> readJobItem(const Job& job, const std::filesystem::path& runs);

/// Adds the runs that waiting jobs will be, called as they will be, to those that are there.
void addWaitingRuns(std::vector<widgets::RunItem>& known, const std::filesystem::path& runs);

/// Recipes by their text, so that runs with the same recipe share it and it is parsed once.
using KnownRecipes = std::unordered_map<std::string, std::shared_ptr<const Recipe>>;
/// A run's row of the index, and back. itemFromText() returns false for a text of another version; `recipes` grows.
QByteArray itemText(const widgets::RunItem& item);
bool itemFromText(const QByteArray& text, widgets::RunItem& item, KnownRecipes& recipes);

/// Says anew how the contact with the place of a run stands: the age of a lost one changes without its files.
void readContact(widgets::RunItem& item);
/// Where an evaluation is computed, and how that stands; without a place: here.
widgets::Elsewhere readElsewhere(const EvaluationInfo& evaluation);
/// What of it is shown, as one text: equal texts look the same.
QString elsewhereText(const widgets::Elsewhere& item);
/// Whether a run was written moments ago, after the file of its job, and has ended: a queue that lives is about to remove that job.
/// Unknown, and so false, of a run at a place: its files have the times of the clock there.
bool hasJustEnded(const std::filesystem::path& run, const std::filesystem::path& job);
/// RUNS/queue and RUNS/queue/failed, in the order in which they are done.
std::vector<widgets::WaitingItem> readWaiting(const std::filesystem::path& runs);

/// The last whole lines of a file, at most `bytes` of it.
std::string tailOf(const std::filesystem::path& file, std::size_t bytes);

} // namespace headroom::app
