// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/worker/place_runs.h"

#include "core/errors/display_name.h"
#include "core/places/run_place.h"
#include "core/runs/seeds.h"
#include "training/places/connection.h"
#include "training/places/conversation.h"
#include "training/places/copy_there.h"
#include "training/places/watch_run.h"
#include "training/worker/at_place/copy_report.h"
#include "training/worker/documents/train_documents.h"
#include "training/worker/termination.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace headroom::training {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// The place as it is in the list now, if it still has the same folder: its host may have a new name.
Place presentPlace(const Place& kept) {
    for (const Place& place : readPlaces(placesFile()))
        if (place.name == kept.name && place.folder == kept.folder && place.kind == kept.kind)
            return place;
    return kept;
}

RunPlace placeOfRun(const TrainOptions& options, const fs::path& run) {
    if (auto known = readRunPlace(run)) {
        if (!options.place.empty() && options.place != known->place.name)
            throw Error("train.otherPlace",
                        "The run " + options.run.string() + " is computed at " + known->place.name +
                            ", not at " + options.place + ".",
                        {{"run", run.string()}});
        if (known->begun && !options.resume && !options.watch)
            throw Error("run.exists",
                        "The run " + options.run.string() + " already exists. Use --resume to continue it.",
                        {{"run", run.string()}});
        const bool otherDevice = !options.device.empty() && options.device != known->device,
                   otherRanks = options.ranks > 0 && options.ranks != known->ranks;
        if (known->begun && !options.watch && known->place.kind == Place::Kind::Slurm && (otherDevice || otherRanks))
            throw Error("train.otherRun",
                        "The script of this run is written already. Change job.sh in its folder there, or start a new run.",
                        {{"run", run.string()}});
        known->place = presentPlace(known->place);
        if (!options.device.empty())
            known->device = options.device;
        if (options.ranks > 0)
            known->ranks = options.ranks;
        checkPlace(known->placeToCompute());
        return *known;
    }
    if (fs::exists(RunPaths{run}.run()))
        throw Error("run.exists",
                    "The run " + options.run.string() +
                        " already exists on this machine. A new run can start elsewhere.",
                    {{"run", run.string()}});
    RunPlace place;
    place.place = findPlace(readPlaces(placesFile()), options.place);
    if (options.hold && place.place.kind != Place::Kind::Slurm)
        throw Error("train.hold", "--script-only needs a Slurm cluster; " + place.place.name + " is a host that ssh reaches.",
                    {{"place", place.place.name}});
    place.allCheckpoints = options.allCheckpoints;
    if (!options.data.empty())
        place.data = fs::absolute(options.data).lexically_normal().string();
    if (!options.startFrom.empty()) {
        StartFrom start = StartFrom::parse(options.startFrom);
        start.model = fs::absolute(start.model).lexically_normal();
        place.startFrom = start.text();
    }
    place.device = options.device;
    place.ranks = options.ranks;
    checkPlace(place.placeToCompute());
    place.folder = pathAt(place.place, "runs/" + run.filename().string());
    return place;
}

/// Copies data and start model there. `found`: called when the connection stands, before anything is copied.
RunInputs inputsThere(const TrainOptions& options, const RunPlace& place, CopyReport& report,
                      const std::atomic<bool>& stop, const std::function<void()>& found) {
    const RunDocuments wanted = readDocuments(options);
    const CopyProgress progress = [&](double share, const std::string& what) { report.progress(share, what); };
    const CopyRate rate = [&](double speed, double left) { report.rate(speed, left); };
    RunInputs inputs;
    inputs.architecture = canonicalText(wanted.architecture);
    inputs.recipe = canonicalText(wanted.recipe);
    FolderThere data = findThere(place.place, fs::absolute(options.data).lexically_normal(), "data");
    found();
    if (const Recipe& recipe = wanted.recipe; !data.isThere)
        data.only = usedFilesOfTask(data.here, recipe.task, {recipe.data.trainSplit, recipe.data.validationSplit});
    inputs.data = copyThere(place.place, data, progress, stop, rate);
    if (!options.startFrom.empty()) {
        StartFrom start = StartFrom::parse(options.startFrom);
        start.model = copyThere(place.place, fs::absolute(start.model).lexically_normal(), "models", progress, stop, rate);
        inputs.startFrom = start.text();
    }
    return inputs;
}

/// Shows the newest step that a frame brings.
void showStep(const Frame& frame, const std::string& run, std::int64_t most, const PlaceOutput& output) {
    if (frame.head.value("append", json()) != "events.jsonl")
        return;
    const auto end = frame.bytes.find_last_not_of('\n');
    const auto begin = end == std::string::npos ? end : frame.bytes.rfind('\n', end) + 1;
    if (end == std::string::npos)
        return;
    const json event = json::parse(frame.bytes.substr(begin, end + 1 - begin), nullptr, false);
    if (event.is_object() && event.value("event", json()) == "step" &&
        event.value("loss", json()).is_number()) {
        char loss[40];
        std::snprintf(loss, sizeof loss, "updates, loss %.3f", event["loss"].get<double>());
        output.progress(run, event.value("update", std::int64_t(0)), most, loss);
    }
}

/// Throws if nobody wants what is copied any more, or the watching is to end.
void throwIfStopped(const PlaceRuns::Wish& wish) {
    if (wish.stops->load())
        throw Error("copy.stopped", "Copying was stopped. What was copied is kept, and copying continues from there.");
}

/// What runs that become one job array know of each other.
struct ArrayStart {
    std::vector<RunInputs::Element> others; ///< without the first
    std::promise<bool> promise;             ///< whether it was handed in; or why it was refused
    std::shared_future<bool> handedIn = promise.get_future().share();
};

/// Copies what a new run needs and has it begun. A connection that is lost after it once stood is found again: what was copied
/// is kept, and a run that is handed in twice begins once.
PlaceRuns::End beginThere(const TrainOptions& options, RunPlace place, const PlaceOutput& output, HostSessions* sessions,
                          const std::vector<RunInputs::Element>& array, RunWatch& watch, const PlaceRuns::Wish& wish) {
    CopyReport report(runFolderOf(options), place, output);
    std::optional<RunInputs> inputs;
    BackOff backOff;
    bool stood = false, answered = false;
    for (;;) {
        try {
            if (!inputs) {
                std::unique_lock<std::mutex> turn;
                if (sessions)
                    turn = std::unique_lock(sessions->copying(place.place));
                throwIfStopped(wish);
                inputs = inputsThere(options, place, report, *wish.stops, [&] {
                    stood = answered = true;
                    report.connected();
                    watch.prepare();
                });
                inputs->array = array;
                inputs->hold = options.hold;
            }
            throwIfStopped(wish);
            return watch.watch(inputs, false);
        } catch (const Error& error) {
            if (!stood || !(mayPass(error) || error.code() == "place.lost"))
                throw;
            const auto pause = backOff.next(std::exchange(answered, false));
            report.lost(error.what(), pause);
            backOff.wait(pause, runFolderOf(options), [&] { return wish.stops->load(); });
        }
    }
}

/// Watches a run that somebody else started there; it is neither begun nor resumed.
PlaceRuns::End watchOnly(const RunPlace& place, const fs::path& run, bool isNew, RunWatch& watch) {
    try {
        return watch.watch(std::nullopt, false);
    } catch (const Error& error) {
        const auto now = readRunPlace(run);
        if (!isNew || !now || now->begun)
            throw;
        forgetRunPlace(run); // nothing of it is here
        if (error.code() != "place.notStarted")
            throw;
        throw Error("place.noRun", "There is no run " + run.filename().string() + " at " + place.place.name + " (" +
                                       validText(place.folder) + ").",
                    {{"place", place.place.name}});
    }
}

/// `begun`: called when a new run was handed over. `array`: the others of it, where this run hands it in.
PlaceRuns::End watchPlaced(const TrainOptions& options, RunPlace place, const PlaceOutput& output,
                           HostSessions* sessions, const std::vector<RunInputs::Element>& array,
                           const std::function<void()>& begun, PlaceRuns::Wish& wish) {
    const fs::path run = runFolderOf(options);
    std::int64_t most = 0;
    RunWatch::Hooks hooks;
    hooks.stop = wish.leaves;
    hooks.leave = &wish.leave;
    hooks.sessions = sessions;
    hooks.note = output.note;
    hooks.begun = [&] {
        if (wish.takenBack && !options.watch) // while it was being handed over
            askToStop(run);
        if (begun)
            begun();
    };
    hooks.arrived = [&](const Frame& frame) {
        if (!sessions && frame.head.value("held", json()) == true)
            wish.leave = true; // a command ends: its user reads the script
        if (output.progress) {
            if (most == 0 && fs::exists(RunPaths{run}.run()))
                most = readRun(run).maxUpdates;
            showStep(frame, run.filename().string(), most, output);
        }
    };
    RunWatch watch(run, place, hooks);
    // With the documents of a new run, --resume means “if it exists”: a run that was stopped there on purpose
    // stays so.
    if (options.watch) {
        const auto end = watchOnly(place, run, !place.begun, watch);
        if (wish.takenBack && !fs::exists(RunPaths{run}.run()))
            forgetRunPlace(run);
        return end;
    }
    const bool resume = options.resume && options.architecture.empty();
    if (place.begun || resume)
        return watch.watch(std::nullopt, resume);
    try {
        return beginThere(options, place, output, sessions, array, watch, wish);
    } catch (const Error&) {
        const bool copying = wish.copying->stop; // it was given up because it was taken back
        if (!wish.takenBack || !copying || readRunPlace(run).value_or(place).begun)
            throw;
        forgetRunPlace(run);
        throw Error("place.takenBack", "The run was removed from the queue before it was handed over.");
    }
}

/// Says where a run will be, before it is there.
void announce(RunPlace& place, const fs::path& run, bool watch = false) {
    if (place.begun)
        return;
    place.contact = watch ? RunPlace::Contact::Waiting : RunPlace::Contact::Copying; // it may have ended before it began
    place.sentence = watch ? "Looking for the run there." : "";
    place.since = utcNow();
    writeRunPlace(run, place);
}

PlaceRuns::End watchFirst(const TrainOptions& options, const PlaceOutput& output, HostSessions& sessions,
                          ArrayStart& array, PlaceRuns::Wish& wish) {
    bool told = false;
    try {
        RunPlace place = placeOfRun(options, runFolderOf(options));
        announce(place, runFolderOf(options));
        const auto end = watchPlaced(options, place, output, &sessions, array.others, [&] {
            told = true;
            array.promise.set_value(true);
        }, wish);
        if (!told)
            array.promise.set_value(false);
        return end;
    } catch (...) {
        if (!told)
            array.promise.set_exception(std::current_exception());
        throw;
    }
}

PlaceRuns::End watchOther(const TrainOptions& options, const PlaceOutput& output, HostSessions& sessions,
                          const std::shared_future<bool>& handedIn, PlaceRuns::Wish& wish) {
    const fs::path run = runFolderOf(options);
    RunPlace place = placeOfRun(options, run);
    announce(place, run);
    try {
        if (!handedIn.get()) { // throws why the array was refused
            if (wish.takenBack)
                forgetRunPlace(run);
            return std::nullopt;
        }
    } catch (const Error&) {
        if (wish.takenBack)
            forgetRunPlace(run);
        throw;
    }
    place.begun = true;
    writeRunPlace(run, place);
    if (wish.takenBack)
        askToStop(run);
    return watchPlaced(options, place, output, &sessions, {}, {}, wish);
}

PlaceRuns::End watchAlone(const TrainOptions& options, const PlaceOutput& output, HostSessions* sessions, PlaceRuns::Wish& wish) {
    RunPlace place = placeOfRun(options, runFolderOf(options));
    announce(place, runFolderOf(options), options.watch);
    return watchPlaced(options, place, output, sessions, {}, {}, wish);
}

/// Whether this is a new run for a Slurm cluster.
bool mayJoinAnArray(const TrainOptions& options) {
    try {
        const RunPlace place = placeOfRun(options, runFolderOf(options));
        return !place.begun && !options.watch && !options.hold && place.place.kind == Place::Kind::Slurm;
    } catch (const Error&) {
        return false; // its own thread says why
    }
}

} // namespace

PlaceRuns::End watchRun(const TrainOptions& options, const PlaceOutput& output) {
    PlaceRuns::Wish wish;
    wish.leaves = &terminationFlag();
    wish.stops = &terminationFlag();
    return watchAlone(options, output, nullptr, wish);
}

std::vector<std::future<PlaceRuns::End>> PlaceRuns::watch(const std::vector<TrainOptions>& runs) {
    std::vector<std::size_t> together;
    for (std::size_t i = 0; i < runs.size(); ++i)
        if (mayJoinAnArray(runs[i]))
            together.push_back(i);
    std::shared_ptr<ArrayStart> array;
    if (together.size() > 1) {
        array = std::make_shared<ArrayStart>();
        for (std::size_t i = 1; i < together.size(); ++i)
            array->others.push_back({runFolderOf(runs[together[i]]).filename().string(),
                                     canonicalText(readDocuments(runs[together[i]]).recipe)});
    }
    std::vector<std::future<End>> ends;
    const auto shared = std::make_shared<Copying>(); // of the array
    shared->wanted = static_cast<int>(together.size());
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const bool joins = array && std::find(together.begin(), together.end(), i) != together.end();
        const bool first = joins && i == together.front();
        const auto wish = std::make_shared<Wish>();
        if (joins)
            wish->copying = shared;
        else
            wish->copying->wanted = 1;
        wish->leaves = m_ends == Ends::ByOwner ? &wish->leave : &terminationFlag();
        wish->stops = m_ends == Ends::ByOwner ? &wish->copying->stop : &terminationFlag();
        wish->watchOnly = runs[i].watch;
        m_wishes[runFolderOf(runs[i])] = wish;
        ends.push_back(std::async(std::launch::async, [this, options = runs[i], array, joins, first, wish] {
            return !joins  ? watchAlone(options, m_output, &m_sessions, *wish)
                   : first ? watchFirst(options, m_output, m_sessions, *array, *wish)
                           : watchOther(options, m_output, m_sessions, array->handedIn, *wish);
        }));
    }
    return ends;
}

void PlaceRuns::takeBack(const fs::path& run) {
    const auto found = m_wishes.find(run);
    if (found == m_wishes.end() || found->second->takenBack.exchange(true))
        return;
    if (found->second->watchOnly) {
        found->second->leave = true;
        return;
    }
    const auto place = readRunPlace(run);
    if (place && place->begun && place->contact != RunPlace::Contact::Ended)
        askToStop(run);
    if (--found->second->copying->wanted == 0)
        found->second->copying->stop = true;
}

void PlaceRuns::leave() {
    for (const auto& [run, wish] : m_wishes)
        wish->leave = wish->copying->stop = true;
}

std::string problemOfRun(const TrainOptions& options, RunState state) {
    const fs::path run = runFolderOf(options);
    const auto place = readRunPlace(run);
    const std::string name = place ? place->place.name : options.place;
    if (state == RunState::Failed)
        return name + ": " + readRun(run).error + (place && !place->sentence.empty() ? " " + place->sentence : "");
    if (state != RunState::Interrupted)
        return {};
    return place && !place->sentence.empty()
               ? place->sentence
               : "The run " + run.filename().string() + " stopped unexpectedly at " + name +
                     ", without an error message. Resume continues from its last checkpoint there.";
}

std::vector<TrainOptions> runsOfSeeds(const TrainOptions& options) {
    std::vector<TrainOptions> runs;
    for (const std::uint64_t seed : parseSeeds(options.seeds)) {
        TrainOptions one = options;
        one.seeds.clear();
        one.seed = seed;
        one.run = runFolderOf(options).string() + "_seed-" + std::to_string(seed);
        runs.push_back(std::move(one));
    }
    return runs;
}

} // namespace headroom::training
