// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/worker/train_ranks.h"

#include "core/errors/count_text.h"
#include "core/tensors/sha256.h"
#include "models/layers/device.h"
#include "training/devices/devices.h"
#include "training/ranks/rank_devices.h"

#include <algorithm>
#include <filesystem>
#include <unistd.h>

namespace headroom::training {

std::optional<RankPlace> placeOf(const TrainOptions& options) {
    auto place = placeFromEnvironment();
    if (place && options.ranks > 1 && options.ranks != place->world)
        throw Error("ranks.environment",
                    "--ranks is " + std::to_string(options.ranks) + ", but the launcher started " +
                        std::to_string(place->world) + " ranks. Leave --ranks out under a launcher.");
    if (!place && options.ranks > 1)
        place = RankPlace{0, options.ranks, "127.0.0.1", 0};
    return place;
}

void takeAllGpus(TrainOptions& options, const ComputeDevices& devices) {
    if (options.device != "all")
        return;
    options.device = "cuda"; // where there is none, it is said what is missing
    if (const int gpus = usableGpus(devices); options.ranks == 0 && gpus > 1 && !placeFromEnvironment())
        options.ranks = gpus;
}

int takeRanksOfRun(TrainOptions& options, const std::function<ComputeDevices()>& devices) {
    std::error_code ignored;
    const bool everyGpu = options.device == "all"; // takeAllGpus() counts them
    if (!options.resume || options.ranks > 0 || (!options.device.empty() && !everyGpu) || placeFromEnvironment() ||
        !std::filesystem::exists(RunPaths{options.run}.run(), ignored))
        return 0;
    const auto decided = readRun(options.run).decided;
    const int wanted = static_cast<int>(std::max(decided.ranks, decided.wantedRanks));
    int ranks = wanted;
    if (ranks > 1 && decided.device.starts_with("cuda:"))
        ranks = std::min(ranks, usableGpus(devices()));
    if (ranks > 1 && !everyGpu)
        options.ranks = ranks;
    return ranks < wanted ? wanted : 0;
}

std::string decideRanks(RunInfo& info, std::int64_t ranks, std::int64_t wanted) {
    info.decided.ranks = ranks;
    info.decided.wantedRanks = wanted > ranks ? wanted : 0;
    if (wanted <= ranks)
        return {};
    return "This run was asked for on " + counted(wanted, "GPU") + ", but only " + std::to_string(ranks) +
           (ranks == 1 ? " is" : " are") + " usable here now. " + counted(ranks, "rank") + (ranks == 1 ? " continues" : " continue") +
           " it. Resume it where " + std::to_string(wanted) + " GPUs are usable to train on all of them again.";
}

namespace {

/// Refuses devices that do not go together, at every rank, and connects GPUs.
void agreeOnDevices(Ranks& ranks, std::vector<std::string>& gpus) {
    RankDevice own{hostName(), models::usedDeviceId(), {}};
    if (own.id.starts_with("cuda:"))
        for (const ComputeDevice& device : computeDevices().list)
            if (device.id == own.id)
                own.gpu = device.number;
    std::vector<RankDevice> devices;
    for (const std::string& text : ranks.gather(toText(own)))
        devices.push_back(rankDeviceFrom(text));
    gpus.clear();
    for (const RankDevice& device : devices)
        if (!device.gpu.empty())
            gpus.push_back(device.gpu);
    if (const std::string problem = problemOfDevices(devices); !problem.empty())
        throw Error("ranks.refused", problem);
    if (!own.id.starts_with("cuda:"))
        return;
    std::string problem;
    try {
        ranks.useGpus();
    } catch (const Error& error) {
        problem = error.what();
        problem.erase(problem.find_last_not_of('.') + 1);
    }
    agree(ranks, problem);
}

} // namespace

std::string translationNoteAt(const std::optional<RankPlace>& place, const ComputeDevice& gpu) {
    return place && place->rank > 0 ? std::string() : translationNote(gpu);
}

std::vector<std::string> ownGpu() {
    const std::string number = chosenDevice().number;
    return number.empty() ? std::vector<std::string>() : std::vector{number};
}

std::string hostName() {
    char name[256] = {};
    return ::gethostname(name, sizeof name - 1) == 0 ? name : "";
}

std::unique_ptr<Ranks> meetRanks(const TrainOptions& options, const RankPlace& place, const std::string& device,
                                 LocalRanks& local, std::vector<std::string>& gpus) {
    endWithFirstRank();
    // Port 0: nobody else starts the other ranks.
    const auto startOthers = [&](int port) {
        if (place.rank == 0 && place.port == 0) {
            TrainOptions other = options;
            // Each takes a GPU of its own, unless one was named.
            other.device = device != "auto" ? device : models::usedDeviceId() == "cpu" ? "cpu" : "cuda";
            local.start({0, place.world, place.address, port}, arguments(other));
        }
    };
    auto ranks = std::make_unique<Ranks>(place, startOthers);
    agreeOnDevices(*ranks, gpus);
    return ranks;
}

void shareRun(Ranks& ranks, TrainSetup& setup, RunInfo& info) {
    const std::string program = sha256OfFile("/proc/self/exe");
    nlohmann::json own;
    if (ranks.rank() == 0)
        own = {{"architecture", canonicalText(setup.architecture)},
               {"recipe", canonicalText(setup.recipe)},
               {"version", HEADROOM_VERSION},
               {"program", program},
               {"id", info.id},
               {"data", info.data},
               {"startFrom", info.startFrom},
               {"seed", info.seed},
               {"precision", info.decided.precision},
               {"threads", info.decided.threads},
               {"dataHash", info.decided.dataHash}};
    const auto first = nlohmann::json::parse(ranks.fromFirst(own.dump()));
    const std::string version = first["version"].get<std::string>();
    std::string problem;
    if (version != HEADROOM_VERSION)
        problem = std::string("it has headroom-worker ") + HEADROOM_VERSION + ", and rank 0 has " + version;
    else if (first["program"] != program)
        problem = "its headroom-worker is another build than that of rank 0";
    if (ranks.rank() > 0 && problem.empty()) {
        setup.architecture = parseArchitecture(first["architecture"].get<std::string>(), "rank 0's architecture");
        setup.recipe = parseRecipe(first["recipe"].get<std::string>(), "rank 0's recipe");
        info.id = first["id"].get<std::string>();
        info.data = first["data"].get<std::string>();
        info.startFrom = first["startFrom"].get<std::string>();
        info.seed = first["seed"].get<std::uint64_t>();
        info.decided.precision = first["precision"].get<std::string>();
        info.decided.threads = first["threads"].get<std::int64_t>();
        info.decided.dataHash = first["dataHash"].get<std::string>();
    }
    agree(ranks, problem);
}

void agree(Ranks& ranks, const std::string& problem) {
    std::string problems;
    const auto all = ranks.gather(problem);
    for (std::size_t rank = 0; rank < all.size(); ++rank)
        if (!all[rank].empty())
            problems += (problems.empty() ? "Rank " : " Rank ") + std::to_string(rank) + ": " + all[rank] + ".";
    if (!problems.empty())
        throw Error("ranks.refused", problems);
}

} // namespace headroom::training
