// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/worker/places_command.h"

#include "core/commands/shell_words.h"
#include "core/places/worker_bundle.h"
#include "training/places/channels.h"
#include "training/places/check_place.h"
#include "training/places/copies_there.h"
#include "training/places/follow_run.h"
#include "training/places/follow_work.h"
#include "training/places/install_worker.h"
#include "training/places/place_load.h"
#include "training/places/runs_there.h"
#include "training/worker/commands.h"
#include "training/worker/termination.h"

#include <algorithm>
#include <CLI/CLI.hpp>
#include <cstdlib>
#include <iostream>
#include <thread>
#include <unistd.h>

namespace headroom::training {

namespace {

std::string whereText(const Place& place) {
    std::string text = toText(place.kind);
    text += place.isRemote() ? ", " + place.host : ", sbatch on this machine";
    if (place.kind == Place::Kind::Slurm) {
        if (!place.slurm.partition.empty())
            text += ", partition " + place.slurm.partition;
        if (place.slurm.gpus > 0)
            text +=
                ", " + std::to_string(place.slurm.nodes) + " × " + std::to_string(place.slurm.gpus) + " GPUs";
        else if (place.slurm.nodes > 1)
            text += ", " + std::to_string(place.slurm.nodes) + " nodes";
        if (!place.slurm.time.empty())
            text += ", " + place.slurm.time;
    }
    if (place.device != Place().device)
        text += ", " + (place.device == "all" ? std::string("all GPUs") : place.device);
    return text + ", " + place.folder;
}

void listPlaces(Console& console) {
    const std::vector<Place> places = readPlaces(placesFile());
    console.line(kThisMachine);
    auto list = nlohmann::json::array();
    for (const Place& place : places) {
        console.line(place.name + "  " + whereText(place));
        list.push_back(nlohmann::json(toJson(place)));
    }
    console.document({{"format", "headroom/place-list"},
                      {"version", 1},
                      {"file", placesFile().string()},
                      {"places", std::move(list)}});
}

void addPlace(const PlacesOptions& options, Console& console) {
    Place place = options.place;
    place.kind = options.slurm ? Place::Kind::Slurm : Place::Kind::Ssh;
    checkPlace(place);
    std::vector<Place> places = readPlaces(placesFile());
    const auto found =
        std::find_if(places.begin(), places.end(), [&](const Place& one) { return one.name == place.name; });
    if (found != places.end() && !options.replace)
        throw Error("place.exists",
                    "A place named “" + place.name +
                        "” already exists. Use --replace to change it, or choose another name.",
                    {{"place", place.name}});
    if (found != places.end())
        *found = place;
    else
        places.push_back(place);
    writePlaces(placesFile(), places);
    console.line("The place " + place.name + " is in the list. Test it with: headroom-worker places test " + shellWord(place.name));
    console.document(
        {{"format", "headroom/place"}, {"version", 1}, {"place", nlohmann::json(toJson(place))}});
}

void removePlace(const PlacesOptions& options, Console& console) {
    std::vector<Place> places = readPlaces(placesFile());
    const Place place = findPlace(places, options.place.name);
    std::erase_if(places, [&](const Place& one) { return one.name == place.name; });
    writePlaces(placesFile(), places);
    console.line("The place " + place.name + " is no longer in the list. Its folder " + place.folder +
                 " and the runs in it stay as they are.");
    console.document(
        {{"format", "headroom/place"}, {"version", 1}, {"place", nlohmann::json(toJson(place))}});
}

/// Prints each line of a check as it comes, and keeps it for the document.
std::function<void(const PlaceCheck&)> printing(Console& console, nlohmann::json& list) {
    return [&](const PlaceCheck& check) {
        using State = PlaceCheck::State;
        const char* mark = check.state == State::Passed    ? "✓ "
                           : check.state == State::Skipped ? "– "
                           : check.state == State::Remark  ? "! "
                                                           : "✗ ";
        console.line(mark + check.what + (check.value.empty() ? "" : ": " + check.value) +
                     (check.sentence.empty() ? "" : ". " + check.sentence));
        list.push_back({{"state", toText(check.state)},
                        {"what", check.what},
                        {"value", check.value},
                        {"sentence", check.sentence}});
    };
}

void reportChecks(const Place& place, const char* format, bool usable, nlohmann::json list, Console& console) {
    console.document({{"format", format},
                      {"version", 1},
                      {"place", place.name},
                      {"usable", usable},
                      {"checks", std::move(list)}});
    if (!usable)
        console.problem(place.name + " cannot run the worker yet.");
}

void testPlace(const PlacesOptions& options, Console& console) {
    const Place place = findPlace(readPlaces(placesFile()), options.place.name);
    auto list = nlohmann::json::array();
    const bool usable = checkPlaceThere(place, HEADROOM_VERSION, printing(console, list));
    reportChecks(place, "headroom/place-test", usable, std::move(list), console);
}

void listRuns(const PlacesOptions& options, Console& console) {
    const Place place = findPlace(readPlaces(placesFile()), options.place.name);
    nlohmann::json list = runsAt(place);
    for (const auto& run : list) {
        std::string line = run.value("name", "") + "  " + run.value("state", "");
        if (const auto most = run.value("maxUpdates", std::int64_t(0)); most > 0)
            line += ", " + std::to_string(run.value("update", std::int64_t(0))) + " of " + std::to_string(most);
        std::replace(line.begin(), line.end(), '\n', ' '); // a line each
        console.line(line);
        if (run.contains("why"))
            console.note("The state of " + run.value("name", "") + " is unknown: " + run.value("why", ""));
    }
    if (list.empty())
        console.note("There are no runs at " + place.name + " (" + place.folder + "/runs).");
    console.document({{"format", "headroom/place-runs"}, {"version", 1}, {"place", place.name}, {"runs", std::move(list)}});
}

void listCopies(const PlacesOptions& options, Console& console) {
    const Place place = findPlace(readPlaces(placesFile()), options.place.name);
    if (!options.copy.empty()) {
        removeCopy(place, options.copy);
        console.note("Removed " + options.copy + " at " + place.name + ".");
    }
    auto list = nlohmann::json::array();
    for (const CopyAtPlace& copy : copiesAt(place)) {
        std::string line = copy.path + "  " + std::to_string((copy.bytes + 500'000) / 1'000'000) + " MB";
        for (const CopyAtPlace::User& user : copy.users)
            line += (&user == &copy.users.front() ? ", used by " : ", ") + user.name + (user.inProgress ? " (in progress)" : "");
        console.line(line + (copy.isLinked ? ", the worker of its version" : ""));
        list.push_back(toJson(copy));
    }
    if (list.empty())
        console.note("Nothing was copied to " + place.name + " (" + place.folder + ").");
    console.document({{"format", "headroom/place-copies"}, {"version", 1}, {"place", place.name}, {"copies", std::move(list)}});
}

/// Until its input ends: whoever reads it may be killed. A look that waits for a host is not waited for.
void monitor(const PlacesOptions& options, Console&) {
    std::thread([] {
        char byte = 0;
        while (::read(STDIN_FILENO, &byte, 1) > 0)
            continue;
        std::_Exit(0);
    }).detach();
    static const std::atomic<bool> never{false};
    monitorPlaces(readPlaces(placesFile()), std::chrono::milliseconds(static_cast<int>(options.every * 1000)),
                  [](const nlohmann::json& document) {
                      std::cout << document.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) << std::endl;
                  },
                  never);
}

std::filesystem::path ownBundle() {
    std::error_code ignored;
    return workerBundle(std::filesystem::read_symlink("/proc/self/exe", ignored), HEADROOM_VERSION);
}

void installAtPlace(const PlacesOptions& options, Console& console) {
    const Place place = findPlace(readPlaces(placesFile()), options.place.name);
    auto list = nlohmann::json::array();
    if (options.uninstall) {
        removeWorker(place, printing(console, list));
        return reportChecks(place, "headroom/place-install", true, std::move(list), console);
    }
    catchTermination();
    InstallOptions install;
    install.bundle = options.bundle.empty() ? ownBundle() : std::filesystem::absolute(options.bundle).lexically_normal();
    install.version = HEADROOM_VERSION;
    install.stop = &terminationFlag();
    install.progress = [&](double share, const std::string& what) {
        console.progress(static_cast<std::int64_t>(share * 100), 100, "per cent of " + what + " are at " + place.name);
    };
    const bool usable = installWorker(place, install, printing(console, list));
    reportChecks(place, "headroom/place-install", usable, std::move(list), console);
}

} // namespace

void declarePlaces(CLI::App& app, PlacesOptions& options,
                   const std::function<void(std::function<void(Console&)>)>& choose) {
    auto* command = app.add_subcommand("places", "other machines on which runs can be started");
    command->require_subcommand(1);
    const auto declare = [&](const char* name, const char* text,
                             void (*work)(const PlacesOptions&, Console&)) {
        auto* sub = command->add_subcommand(name, text);
        sub->add_flag("--json", options.json, "print one JSON document to standard output");
        sub->callback([&options, choose, work] {
            choose([&options, work](Console& console) { work(options, console); });
        });
        return sub;
    };
    declare("list", "list the places", [](const PlacesOptions&, Console& console) { listPlaces(console); });
    auto* adding = declare("add", "add a place", addPlace);
    auto& place = options.place;
    adding->add_option("NAME", place.name, "name of the place")->required();
    adding->add_option("--host", place.host, "host of ~/.ssh/config, or USER@HOST");
    adding->add_option("--folder", place.folder, "folder there, for runs and data")->required();
    adding->add_option(
        "--worker", place.worker,
        "headroom-worker there; default: FOLDER/worker/bin/headroom-worker, else the one on PATH");
    adding
        ->add_option("--device", place.device,
                     "what computes there: auto, cpu, cuda, cuda:K, or all: every GPU, with a rank on each")
        ->capture_default_str();
    adding->add_flag("--replace", options.replace, "replace the place of this name");
    auto* slurm = adding->add_flag("--slurm", options.slurm,
                                   "a Slurm cluster; --host is its login host; without it, this machine");
    adding->add_option("--partition", place.slurm.partition, "partition of the cluster")->needs(slurm);
    adding->add_option("--gpus", place.slurm.gpus, "GPUs per node")->needs(slurm);
    adding->add_option("--nodes", place.slurm.nodes, "nodes")->needs(slurm);
    adding->add_option("--time", place.slurm.time, "time limit: 08:00:00")->needs(slurm);
    adding->add_option("--account", place.slurm.account, "account")->needs(slurm);
    adding
        ->add_option("--sbatch", place.slurm.lines,
                     "a further option of sbatch, as --sbatch=--constraint=a100")
        ->take_all()
        ->needs(slurm);
    declare("follow", "for `train --place`: send what a run of this machine writes, as it is written",
            [](const PlacesOptions& chosen, Console&) {
                RunFollower(std::filesystem::absolute(chosen.run).lexically_normal(), STDIN_FILENO,
                            STDOUT_FILENO, forkQueue)
                    .follow();
            })
        ->add_option("RUN", options.run, "folder of the run")
        ->required();
    declare("channels", "for the queue: follow several runs of this machine at once",
            [](const PlacesOptions&, Console&) {
                serveChannels(STDIN_FILENO, STDOUT_FILENO, [](const std::string& run) {
                    RunFollower(std::filesystem::absolute(run).lexically_normal(), STDIN_FILENO, STDOUT_FILENO, forkQueue).follow();
                });
            });
    declare("work", "for `evaluate --place` and `study --place`: send the output and the files of the command of a folder",
            [](const PlacesOptions& chosen, Console&) {
                WorkFollower(std::filesystem::absolute(chosen.run).lexically_normal(), STDIN_FILENO, STDOUT_FILENO).follow();
            })
        ->add_option("FOLDER", options.run, "folder of the command")
        ->required();
    declare("do", "run the command of such a folder",
            [](const PlacesOptions& chosen, Console&) {
                catchTermination();
                doWork({std::filesystem::absolute(chosen.run).lexically_normal()}, terminationFlag());
            })
        ->add_option("FOLDER", options.run, "folder of the command")
        ->required();
    declare("monitor", "print how busy this machine and the hosts of all places are, one line of JSON per "
                       "look, until standard input ends", monitor)
        ->add_option("--every", options.every, "seconds between two looks at a machine")
        ->capture_default_str()
        ->check(CLI::Range(0.2, 3600.0));
    auto* keeping = declare("kept", "for `places runs`: list the runs in a folder of this machine", [](const PlacesOptions& chosen, Console&) {
        Place cluster;
        cluster.kind = chosen.slurm ? Place::Kind::Slurm : Place::Kind::Ssh;
        std::cout << kRunsMark << runsIn(std::filesystem::absolute(chosen.run).lexically_normal(), cluster).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)
                  << std::endl;
    });
    keeping->add_option("FOLDER", options.run, "folder of runs")->required();
    keeping->add_flag("--slurm", options.slurm, "jobs of Slurm compute them");
    auto* installing = declare("install", "copy the worker there, checked by hash", installAtPlace);
    installing->add_option("--bundle", options.bundle,
                           "output of packaging/bundle-worker; default: ~/.cache/headroom/worker-VERSION, where it writes");
    installing->add_flag("--remove", options.uninstall, "remove every version that was installed there");
    auto* copies = declare("copies", "list what was copied to a place: corpora, models, checkpoints and workers, with the runs that use it", listCopies);
    copies->add_option("--remove", options.copy, "delete this one there, such as data/demo-0a1b2c3d4e5f; one "
                                                 "that a run in progress uses is kept");
    for (auto* naming :
         {installing, copies, declare("runs", "list the runs in a place's folder, whoever started them", listRuns), declare("test", "test whether a place can run the worker", testPlace),
          declare("remove", "remove a place from the list; nothing is deleted there", removePlace)})
        naming->add_option("NAME", place.name, "name of the place")->required();
}

} // namespace headroom::training
