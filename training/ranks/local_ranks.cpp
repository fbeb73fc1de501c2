// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/ranks/local_ranks.h"

#include "core/errors/error.h"

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace headroom::training {

namespace {

constexpr const char* kFirstProcess = "HEADROOM_FIRST_RANK_PROCESS";

std::vector<char*> pointersOf(std::vector<std::string>& words) {
    std::vector<char*> pointers;
    for (std::string& word : words)
        pointers.push_back(word.data());
    pointers.push_back(nullptr);
    return pointers;
}

} // namespace

void LocalRanks::start(const RankPlace& place, const std::vector<std::string>& arguments) {
    std::vector<std::string> command{"headroom-worker"};
    command.insert(command.end(), arguments.begin(), arguments.end());
    for (int rank = 1; rank < place.world; ++rank) {
        std::vector<std::string> environment;
        for (char** variable = environ; *variable; ++variable)
            environment.emplace_back(*variable);
        // Later ones of a name lose: these come first.
        const std::vector<std::string> own{"RANK=" + std::to_string(rank),
                                           "LOCAL_RANK=" + std::to_string(rank),
                                           "WORLD_SIZE=" + std::to_string(place.world),
                                           "MASTER_ADDR=" + place.address,
                                           "MASTER_PORT=" + std::to_string(place.port),
                                           std::string(kFirstProcess) + "=" + std::to_string(::getpid())};
        environment.insert(environment.begin(), own.begin(), own.end());
        posix_spawn_file_actions_t actions;
        ::posix_spawn_file_actions_init(&actions);
        ::posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
        ::posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
        pid_t process = 0;
        const int problem = ::posix_spawn(&process, "/proc/self/exe", &actions, nullptr, pointersOf(command).data(),
                                          pointersOf(environment).data());
        ::posix_spawn_file_actions_destroy(&actions);
        if (problem != 0)
            throw Error("ranks.start",
                        "Rank " + std::to_string(rank) + " could not be started: " + std::strerror(problem) + ".");
        m_processes.push_back(process);
    }
}

LocalRanks::~LocalRanks() {
    for (const pid_t process : m_processes)
        ::waitpid(process, nullptr, 0);
}

void endWithFirstRank() {
    const char* first = std::getenv(kFirstProcess);
    if (!first)
        return;
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != std::atoi(first)) // it ended before this line
        std::_Exit(1);
}

} // namespace headroom::training
