// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/worker/train_at_place.h"

#include "core/errors/count_text.h"
#include "core/errors/whole_path.h"
#include "core/places/run_place.h"
#include "training/data/sentences.h"
#include "training/places/used_files.h"
#include "training/worker/place_runs.h"

#include <mutex>

namespace headroom::training {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// Says how a run ended. Returns the document of it.
json reportRun(const TrainOptions& options, RunState state, Console& console) {
    const fs::path run = runFolderOf(options);
    const RunInfo info = readRun(run);
    const auto place = readRunPlace(run);
    if (const std::string problem = problemOfRun(options, state); !problem.empty())
        console.problem(problem);
    else
        console.line("The run " + info.id + (state == RunState::Finished ? " is finished" : " has stopped") +
                     " at update " + grouped(info.update) + ", at " +
                     (place ? place->place.name : options.place) + ".");
    return {{"format", "headroom/training"},
            {"version", 1},
            {"run", run.string()},
            {"state", toText(state)},
            {"update", info.update},
            {"best", info.best},
            {"predictedBytes", info.predictedBytes},
            {"peakBytes", info.peakBytes},
            {"model", RunPaths{run}.model().string()}};
}

void trainSeedsAtPlace(const TrainOptions& options, Console& console) {
    const std::vector<TrainOptions> runs = runsOfSeeds(options);
    std::mutex turn; // of the console
    PlaceOutput output;
    output.note = [&](const std::string& sentence) {
        const std::lock_guard guard(turn);
        console.note(sentence);
    };
    output.progress = [&](const std::string& run, std::int64_t done, std::int64_t total,
                          const std::string& what) {
        const std::lock_guard guard(turn);
        console.progress(done, total, what + " (" + run + ")");
    };
    PlaceRuns watching(output);
    auto ends = watching.watch(runs);
    auto documents = json::array();
    std::string last; // what refuses one refuses all of an array: said once
    bool left = false;
    for (std::size_t i = 0; i < runs.size(); ++i)
        try {
            const auto state = ends[i].get();
            const std::lock_guard guard(turn);
            left = left || !state;
            if (state)
                documents.push_back(reportRun(runs[i], *state, console));
        } catch (const Error& error) {
            const std::lock_guard guard(turn);
            if (std::exchange(last, error.what()) != error.what())
                console.problem(error.what());
        }
    if (left)
        console.note("The runs continue at " + options.place +
                     ". Watch them again with the same command and --resume.");
    console.document({{"format", "headroom/trainings"}, {"version", 1}, {"runs", std::move(documents)}});
}

} // namespace

bool isAtPlace(const TrainOptions& options) {
    std::error_code ignored;
    return (!options.place.empty() && options.place != kThisMachine) ||
           fs::exists(runPlaceFile(runFolderOf(options)), ignored);
}

void trainAtPlace(const TrainOptions& options, Console& console) {
    if (!options.seeds.empty())
        return trainSeedsAtPlace(options, console);
    PlaceOutput output;
    output.note = [&](const std::string& sentence) { console.note(sentence); };
    output.progress = [&](const std::string&, std::int64_t done, std::int64_t total,
                          const std::string& what) { console.progress(done, total, what); };
    const auto state = watchRun(options, output);
    if (state) {
        console.document(reportRun(options, *state, console));
        return;
    }
    const auto place = readRunPlace(runFolderOf(options));
    if (place && place->held && !options.hold)
        return console.problem(place->place.name + ": " + place->sentence);
    if (place && place->held)
        return console.line("The script is " + runScriptFile(runFolderOf(options)).string() +
                            ". Change it if you like, then submit it: headroom-worker train --run " + options.run.string() +
                            " --resume");
    console.note("The run continues at " + (place ? place->place.name : options.place) +
                 ". Watch it again with: headroom-worker train --run " + options.run.string() +
                 (options.watch ? " --watch" : " --resume"));
}

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
    return wholePath(options.run);
}

} // namespace headroom::training
