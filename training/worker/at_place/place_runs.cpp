// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/worker/place_runs.h"

#include "core/places/run_place.h"
#include "core/runs/seeds.h"
#include "training/data/sentences.h"
#include "training/places/copy_there.h"
#include "training/places/used_files.h"
#include "training/places/watch_run.h"
#include "training/worker/termination.h"
#include "training/worker/train_documents.h"

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
        if (known->begun && !options.resume)
            throw Error("run.exists",
                        "The run " + options.run.string() + " already exists. Use --resume to continue it.",
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
    place.allCheckpoints = options.allCheckpoints;
    place.data = fs::absolute(options.data).lexically_normal().string();
    if (!options.startFrom.empty()) {
        const StartFrom start = StartFrom::parse(options.startFrom);
        place.startFrom = fs::absolute(start.model).lexically_normal().string() + (start.encoderOnly ? ":encoder" : "");
    }
    place.device = options.device;
    place.ranks = options.ranks;
    checkPlace(place.placeToCompute());
    place.folder = pathAt(place.place, "runs/" + run.filename().string());
    return place;
}

/// Copies data and start model there. `found`: called when the connection stands, before anything is copied.
RunInputs inputsThere(const TrainOptions& options, const RunPlace& place, const fs::path& run,
                      const PlaceOutput& output, const std::function<void()>& found) {
    const RunDocuments wanted = readDocuments(options);
    const auto progress = [&](double share, const std::string& what) {
        if (output.progress)
            output.progress(run.filename().string(), static_cast<std::int64_t>(share * 100), 100,
                            "per cent of " + what + " are at " + place.place.name);
    };
    RunInputs inputs;
    inputs.architecture = canonicalText(wanted.architecture);
    inputs.recipe = canonicalText(wanted.recipe);
    FolderThere data = findThere(place.place, fs::absolute(options.data).lexically_normal(), "data");
    found();
    if (const Recipe& recipe = wanted.recipe; !data.isThere)
        data.only = usedFilesOfTask(data.here, recipe.task, {recipe.data.trainSplit, recipe.data.validationSplit});
    inputs.data = copyThere(place.place, data, progress, terminationFlag());
    if (!options.startFrom.empty()) {
        const StartFrom start = StartFrom::parse(options.startFrom);
        inputs.startFrom = copyThere(place.place, fs::absolute(start.model).lexically_normal(), "models",
                                     progress, terminationFlag()) +
                           (start.encoderOnly ? ":encoder" : "");
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
        std::snprintf(loss, sizeof loss, "loss %.3f", event["loss"].get<double>());
        output.progress(run, event.value("update", std::int64_t(0)), most, loss);
    }
}

/// What runs that become one job array know of each other.
struct ArrayStart {
    std::vector<RunInputs::Element> others; ///< without the first
    std::promise<bool> promise;             ///< whether it was handed in; or why it was refused
    std::shared_future<bool> handedIn = promise.get_future().share();
};

/// `begun`: called when a new run was handed over. `array`: the others of it, where this run hands it in.
PlaceRuns::End watchPlaced(const TrainOptions& options, RunPlace place, const PlaceOutput& output,
                           HostSessions* sessions, const std::vector<RunInputs::Element>& array,
                           const std::function<void()>& begun) {
    const fs::path run = runFolderOf(options);
    std::int64_t most = 0;
    RunWatch::Hooks hooks;
    hooks.stop = &terminationFlag();
    hooks.sessions = sessions;
    hooks.note = output.note;
    hooks.begun = begun;
    if (output.progress)
        hooks.arrived = [&](const Frame& frame) {
            if (most == 0 && fs::exists(RunPaths{run}.run()))
                most = readRun(run).maxUpdates;
            showStep(frame, run.filename().string(), most, output);
        };
    RunWatch watch(run, place, hooks);
    // With the documents of a new run, --resume means “if it exists”: a run that was stopped there on purpose
    // stays so.
    const bool resume = options.resume && options.architecture.empty();
    std::optional<RunInputs> inputs;
    if (!place.begun && !resume) {
        std::unique_lock<std::mutex> turn;
        if (sessions)
            turn = std::unique_lock(sessions->copying(place.place));
        inputs = inputsThere(options, place, run, output, [&] { watch.prepare(); });
        inputs->array = array;
    }
    return watch.watch(inputs, resume);
}

/// Says where a run will be, before it is there.
void announce(RunPlace& place, const fs::path& run) {
    if (place.begun)
        return;
    place.contact = RunPlace::Contact::Copying; // it may have ended before it began
    place.sentence.clear();
    place.since = utcNow();
    writeRunPlace(run, place);
}

PlaceRuns::End watchFirst(const TrainOptions& options, const PlaceOutput& output, HostSessions& sessions,
                          ArrayStart& array) {
    bool told = false;
    try {
        RunPlace place = placeOfRun(options, runFolderOf(options));
        announce(place, runFolderOf(options));
        const auto end = watchPlaced(options, place, output, &sessions, array.others, [&] {
            told = true;
            array.promise.set_value(true);
        });
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
                          const std::shared_future<bool>& handedIn) {
    const fs::path run = runFolderOf(options);
    RunPlace place = placeOfRun(options, run);
    announce(place, run);
    if (!handedIn.get()) // throws why the array was refused
        return std::nullopt;
    place.begun = true;
    writeRunPlace(run, place);
    return watchPlaced(options, place, output, &sessions, {}, {});
}

PlaceRuns::End watchAlone(const TrainOptions& options, const PlaceOutput& output, HostSessions* sessions) {
    RunPlace place = placeOfRun(options, runFolderOf(options));
    announce(place, runFolderOf(options));
    return watchPlaced(options, place, output, sessions, {}, {});
}

/// Whether this is a new run for a Slurm cluster.
bool mayJoinAnArray(const TrainOptions& options) {
    try {
        const RunPlace place = placeOfRun(options, runFolderOf(options));
        return !place.begun && place.place.kind == Place::Kind::Slurm;
    } catch (const Error&) {
        return false; // its own thread says why
    }
}

} // namespace

std::vector<std::string> usedFilesOfTask(const fs::path& corpus, const std::string& task, const std::set<std::string>& splits) {
    if (!isLanguageTask(task))
        return usedFiles(corpus, task, splits);
    try {
        return Sentences::files(corpus, task, splits);
    } catch (const Error&) {
        return {}; // the worker there says what is wrong with it
    }
}

fs::path runFolderOf(const TrainOptions& options) {
    const fs::path run = fs::absolute(options.run).lexically_normal();
    return run.filename().empty() ? run.parent_path() : run;
}

PlaceRuns::End watchRun(const TrainOptions& options, const PlaceOutput& output) {
    return watchAlone(options, output, nullptr);
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
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const bool joins = array && std::find(together.begin(), together.end(), i) != together.end();
        const bool first = joins && i == together.front();
        ends.push_back(std::async(std::launch::async, [this, options = runs[i], array, joins, first] {
            return !joins  ? watchAlone(options, m_output, &m_sessions)
                   : first ? watchFirst(options, m_output, m_sessions, *array)
                           : watchOther(options, m_output, m_sessions, array->handedIn);
        }));
    }
    return ends;
}

std::string problemOfRun(const TrainOptions& options, RunState state) {
    const fs::path run = runFolderOf(options);
    const auto place = readRunPlace(run);
    const std::string name = place ? place->place.name : options.place;
    if (state == RunState::Failed)
        return name + ": " + readRun(run).error;
    if (state != RunState::Interrupted)
        return {};
    return place && !place->sentence.empty()
               ? place->sentence
               : "The run " + run.filename().string() + " stopped unexpectedly at " + name +
                     ", without a word. Resume goes on from its last checkpoint there.";
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
