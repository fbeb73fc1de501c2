// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/worker/train_at_place.h"

#include "core/places/run_place.h"
#include "core/runs/run_folder.h"
#include "training/places/copy_there.h"
#include "training/places/watch_run.h"
#include "training/worker/termination.h"
#include "training/worker/train_documents.h"

#include <algorithm>
#include <functional>

namespace headroom::training {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

fs::path runFolder(const TrainOptions& options) {
    const fs::path run = fs::absolute(options.run).lexically_normal();
    return run.filename().empty() ? run.parent_path() : run;
}

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
        return *known;
    }
    if (fs::exists(RunPaths{run}.run()))
        throw Error("run.exists",
                    "The run " + options.run.string() +
                        " already exists on this machine. A new run can start elsewhere.",
                    {{"run", run.string()}});
    RunPlace place;
    place.place = findPlace(readPlaces(placesFile()), options.place);
    place.folder = pathAt(place.place, "runs/" + run.filename().string());
    return place;
}

/// Copies data and start model there. `found`: called when the connection stands, before anything is copied.
RunInputs inputsThere(const TrainOptions& options, const RunPlace& place, const fs::path& run, Console& console,
                      const std::function<void()>& found) {
    const RunDocuments wanted = readDocuments(options);
    RunPlace copying = place;
    copying.since = utcNow();
    writeRunPlace(run, copying);
    const auto progress = [&](double share, const std::string& what) {
        console.progress(static_cast<std::int64_t>(share * 100), 100,
                         "per cent of " + what + " are at " + place.place.name);
    };
    RunInputs inputs;
    inputs.architecture = canonicalText(wanted.architecture);
    inputs.recipe = canonicalText(wanted.recipe);
    const FolderThere data = findThere(place.place, fs::absolute(options.data).lexically_normal(), "data");
    found();
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
void showStep(const Frame& frame, std::int64_t most, Console& console) {
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
        console.progress(event.value("update", std::int64_t(0)), most, loss);
    }
}

void report(const fs::path& run, const RunPlace& place, RunState state, Console& console) {
    const RunInfo info = readRun(run);
    if (state == RunState::Failed || state == RunState::Interrupted) {
        const auto now = readRunPlace(run);
        const std::string said = now ? now->sentence : "";
        console.problem(state == RunState::Failed ? place.place.name + ": " + info.error
                        : said.empty()
                            ? "The run " + info.id + " stopped unexpectedly at " + place.place.name +
                                  ", without a word. Resume goes on from its last checkpoint there."
                            : said);
    } else {
        console.line("The run " + info.id + (state == RunState::Finished ? " is finished" : " has stopped") +
                     " at update " + std::to_string(info.update) + ", at " + place.place.name + ".");
    }
    console.document({{"format", "headroom/training"},
                      {"version", 1},
                      {"run", run.string()},
                      {"state", toText(state)},
                      {"update", info.update},
                      {"best", info.best},
                      {"predictedBytes", info.predictedBytes},
                      {"peakBytes", info.peakBytes},
                      {"model", RunPaths{run}.model().string()}});
}

} // namespace

bool isAtPlace(const TrainOptions& options) {
    std::error_code ignored;
    return (!options.place.empty() && options.place != kThisMachine) ||
           fs::exists(runPlaceFile(runFolder(options)), ignored);
}

void trainAtPlace(const TrainOptions& options, Console& console) {
    const fs::path run = runFolder(options);
    const RunPlace place = placeOfRun(options, run);
    std::int64_t most = 0;
    RunWatch::Hooks hooks;
    hooks.stop = &terminationFlag();
    hooks.note = [&](const std::string& sentence) { console.note(sentence); };
    hooks.arrived = [&](const Frame& frame) {
        if (most == 0 && fs::exists(RunPaths{run}.run()))
            most = readRun(run).maxUpdates;
        showStep(frame, most, console);
    };
    // With the documents of a new run, --resume means “if it exists”: a run that was stopped there on purpose
    // stays so.
    const bool resume = options.resume && options.architecture.empty();
    RunWatch watch(run, place, hooks);
    std::optional<RunInputs> inputs;
    if (!place.begun)
        inputs = inputsThere(options, place, run, console, [&] { watch.prepare(); });
    const auto state = watch.watch(inputs, resume);
    if (!state) {
        console.note("The run goes on at " + place.place.name +
                     ". Watch it again with: headroom-worker train --run " + options.run.string() +
                     " --resume");
        return;
    }
    report(run, place, *state, console);
}

} // namespace headroom::training
