// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/ranks/place.h"

#include "core/errors/error.h"

#include <charconv>
#include <cstdlib>

namespace headroom::training {

namespace {

constexpr int kMostRanks = 100000;

std::optional<std::string> variable(const char* name) {
    const char* value = std::getenv(name);
    return value && *value ? std::optional<std::string>(value) : std::nullopt;
}

int numberIn(const char* name, int least, int most) {
    const std::string text = variable(name).value_or("");
    int number = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (problem != std::errc() || end != text.data() + text.size() || number < least || number > most)
        throw Error("ranks.environment",
                    std::string("The environment variable ") + name + " is “" + text + "”; it must be a number from " +
                        std::to_string(least) + " to " + std::to_string(most) + ".",
                    {{"variable", name}});
    return number;
}

} // namespace

std::optional<RankPlace> placeFromEnvironment() {
    const bool torchrun = variable("RANK") && variable("WORLD_SIZE");
    // salloc sets SLURM_NTASKS in an ordinary shell too; only a process that srun started has a number of its own.
    const bool srun = !torchrun && variable("SLURM_PROCID") && variable("SLURM_NTASKS") &&
                      variable("SLURM_LAUNCH_NODE_IPADDR");
    if (!torchrun && !srun)
        return std::nullopt;
    RankPlace place;
    place.world = numberIn(torchrun ? "WORLD_SIZE" : "SLURM_NTASKS", 1, kMostRanks);
    place.rank = numberIn(torchrun ? "RANK" : "SLURM_PROCID", 0, place.world - 1);
    if (place.world == 1)
        return std::nullopt;
    const auto master = variable("MASTER_ADDR");
    if (torchrun && !master)
        throw Error("ranks.environment", "RANK and WORLD_SIZE are set, but MASTER_ADDR, the host of rank 0, is not.",
                    {{"variable", "MASTER_ADDR"}});
    place.address = master ? *master : *variable("SLURM_LAUNCH_NODE_IPADDR");
    place.port = torchrun || variable("MASTER_PORT")
                     ? numberIn("MASTER_PORT", 1, 65535)
                     : 20000 + std::atoi(variable("SLURM_JOB_ID").value_or("0").c_str()) % 20000;
    const char* local = torchrun ? "LOCAL_RANK" : "SLURM_LOCALID";
    place.local = variable(local) ? numberIn(local, 0, place.world - 1) : 0;
    return place;
}

} // namespace headroom::training
