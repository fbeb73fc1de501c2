// SPDX-License-Identifier: GPL-3.0-or-later
// What the queue holds, and what is computed elsewhere.
#include "app/runs/run_reading.h"

#include "app/documents/items/paths.h"
#include "app/places/contact_text.h"
#include "app/runs/evaluation_names.h"
#include "app/runs/kept_names.h"
#include "core/commands/job_options.h"
#include "core/places/run_place.h"
#include "core/runs/jobs.h"
#include "core/runs/recipe.h"
#include "core/runs/run_folder.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace headroom::app {

using widgets::RunItem;
using widgets::WaitingItem;
namespace fs = std::filesystem;

namespace {

constexpr std::chrono::seconds kMoment{5}; // the queue looks several times a second

void readContactInto(widgets::Elsewhere& item, const fs::path& folder, const RunPlace& place, PlacedThing thing) {
    using There = widgets::Elsewhere::There;
    item.contact = contactText(place, thing);
    switch (place.contact) {
    case RunPlace::Contact::Copying:
        item.there = There::Copying;
        break;
    case RunPlace::Contact::Waiting:
        item.there = There::Waiting;
        break;
    case RunPlace::Contact::Lost:
        item.there = There::Lost;
        break;
    default:
        break;
    }
    std::error_code ignored;
    item.hasScript = fs::exists(runScriptFile(folder), ignored);
    item.held = place.held;
    const auto known = [](double number) { return number >= 0 ? number : kUndefined; };
    if (place.copy) {
        item.copied = known(place.copy->share);
        item.bytesPerSecond = known(place.copy->bytesPerSecond);
        item.secondsLeft = known(place.copy->secondsLeft);
    }
}

/// `queueRuns`: whether somebody copies for it, or looks for the place.
void readPlaceInto(WaitingItem& item, bool queueRuns) {
    const auto place = readRunPlace(item.run);
    if (!place)
        return;
    item.place = QString::fromStdString(place->place.name);
    if (queueRuns || place->begun)
        readContactInto(item, item.run, *place, item.evaluates ? PlacedThing::Evaluation : PlacedThing::Run);
}

/// A run that ended without a word has a row of its own, which says so and offers to resume it. At a place, a queue that is running may be
/// about to remove the job of a run that has ended.
bool hasOwnRow(const fs::path& run, bool queueRuns) {
    return (queueRuns && fs::exists(runPlaceFile(run))) || readRun(run).state == RunState::Interrupted;
}

} // namespace

bool hasJustEnded(const fs::path& run, const fs::path& job) {
    std::error_code none, ignored;
    const auto written = fs::last_write_time(RunPaths{run}.run(), none);
    const auto ago = fs::file_time_type::clock::now() - written;
    if (none || written <= fs::last_write_time(job, ignored) || std::chrono::abs(ago) > kMoment || fs::exists(runPlaceFile(run), ignored))
        return false;
    const RunState state = readRun(run).state; // one whose process ended without a word begins again
    return state != RunState::Running && state != RunState::Interrupted;
}

widgets::Elsewhere readElsewhere(const EvaluationInfo& evaluation) {
    widgets::Elsewhere item;
    try {
        if (const auto place = readRunPlace(evaluation.folder)) {
            item.place = QString::fromStdString(place->place.name);
            readContactInto(item, evaluation.folder, *place, PlacedThing::Evaluation);
        }
    } catch (const Error& mistake) {
        item.contact = QString::fromUtf8(mistake.what());
    }
    return item;
}

QString elsewhereText(const widgets::Elsewhere& item) {
    return item.place + item.contact + QStringLiteral(" %1 %2 %3 %4").arg(int(item.there)).arg(item.copied).arg(item.hasScript).arg(item.held);
}

std::vector<WaitingItem> readWaiting(const fs::path& runs) {
    std::vector<WaitingItem> waiting;
    const bool queueRuns = queueIsRunning(runs);
    const auto read = [&](const fs::path& file, bool failed) {
        WaitingItem item;
        item.file = file;
        item.name = toQString(file.stem());
        try {
            if (failed) {
                item.ended = utcOfChange(file);
                const std::string why = whyPutAside(file);
                item.error = why.empty() ? QStringLiteral("It was not started.") : QString::fromStdString(why);
            }
            const Job job = readJob(file);
            const auto at = [&](const fs::path& path) { return path.is_absolute() ? path : runs / path; };
            item.run = at(job.run);
            // A job's file stays until its run has ended, and a moment longer: meanwhile the run itself is listed. A queue that was ended
            // leaves it for the next one.
            if (!failed && (FileLock::isLocked(RunPaths{item.run}.lock()) || (queueRuns && hasJustEnded(item.run, file))))
                return;
            item.resume = job.resume || (continuesRun(runs, job) && (failed || !hasOwnRow(item.run, queueRuns)));
            item.place = QString::fromStdString(job.place);
            if (job.device != "cpu")
                item.device = QString::fromStdString(job.device);
            item.evaluates = job.evaluation.has_value();
            readPlaceInto(item, queueRuns);
            if (item.evaluates) {
                item.evaluation = *job.evaluation;
                if (item.evaluation.device != EvaluationRequest().device && item.evaluation.device != "cpu")
                    item.device = QString::fromStdString(item.evaluation.device);
                item.name = evaluationTitle(*job.evaluation);
                if (!failed && FileLock::isLocked(EvaluationPaths{item.run}.lock()))
                    return;
                waiting.push_back(std::move(item));
                return;
            }
            if (job.watch) {
                item.name = toQString(item.run.filename());
                waiting.push_back(std::move(item));
                return;
            }
            if (!item.resume) {
                const QString kept = keptName(item.run); // told apart from others when it was started
                item.name = kept.isEmpty() ? QString::fromStdString(readArchitecture(at(job.architecture)).name) : kept;
                item.maxUpdates = readRecipe(at(job.recipe)).length.maxUpdates;
            } else {
                const RunItem known = readRunItem(item.run);
                item.name = known.name;
                item.maxUpdates = known.info.maxUpdates;
            }
            if (job.seed)
                item.name += QStringLiteral(", seed %1").arg(*job.seed);
        } catch (const std::exception& mistake) {
            // The queue will say the same when it comes to it; here the job is merely listed by its file.
            if (failed && item.error.isEmpty())
                item.error = QString::fromUtf8(mistake.what());
        }
        waiting.push_back(std::move(item));
    };
    for (const fs::path& file : waitingJobs(runs))
        read(file, false);
    for (const fs::path& file : putAsideJobs(runs))
        read(file, true);
    return waiting;
}

void addWaitingRuns(std::vector<RunItem>& known, const fs::path& runs) {
    for (const fs::path& file : waitingJobs(runs)) {
        auto item = readJobItem(file, runs);
        if (!item || std::ranges::any_of(known, [&](const auto& run) { return run.folder == item->folder; }))
            continue; // one that runs by now
        item->designed = item->name;
        if (!item->called.isEmpty())
            item->name = item->called;
        known.push_back(std::move(*item));
    }
}

} // namespace headroom::app
