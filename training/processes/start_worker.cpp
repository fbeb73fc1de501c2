// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/processes/start_worker.h"

#include "core/errors/error.h"
#include "training/processes/exit_status.h"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <string_view>
#include <sys/prctl.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace headroom::training {

namespace {

[[noreturn]] void refuseStart(int problem) {
    throw Error("queue.start", "The worker could not be restarted: " + std::system_category().message(problem) + ".");
}

/// In the child between fork and exec: system calls only.
[[noreturn]] void becomeWorker(char* const* words, int input, int log, int errors, WorkerLife life, pid_t parent) {
    if (life == WorkerLife::Session)
        ::setsid();
    if (life == WorkerLife::WithParent) {
        ::setpgid(0, 0); // Ctrl+C reaches the parent, which passes it on: a second signal would end it unsaved
        ::prctl(PR_SET_PDEATHSIG, SIGTERM);
        if (::getppid() != parent) // it ended before this line
            ::_exit(1);
    }
    ::dup2(input, 0);
    ::dup2(log, 1);
    ::dup2(errors, 2);
    ::execv("/proc/self/exe", words);
    ::_exit(127);
}

} // namespace

pid_t startWorker(const std::vector<std::string>& arguments, const std::filesystem::path& log, WorkerLife life,
                  const std::filesystem::path& errors) {
    std::vector<std::string> words{"headroom-worker"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> pointers;
    for (std::string& word : words)
        pointers.push_back(word.data());
    pointers.push_back(nullptr);
    const int input = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    const auto opened = [](const std::filesystem::path& file) {
        return ::open(file.c_str(), O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0666);
    };
    const int output = opened(log), second = opened(errors.empty() ? log : errors);
    const auto closeAll = [&] {
        for (const int descriptor : {input, output, second})
            if (descriptor >= 0)
                ::close(descriptor);
    };
    if (input < 0 || output < 0 || second < 0) {
        const int problem = errno;
        closeAll();
        refuseStart(problem);
    }
    const pid_t parent = ::getpid(), child = ::fork();
    if (child == 0)
        becomeWorker(pointers.data(), input, output, second, life, parent);
    const int problem = errno;
    closeAll();
    if (child < 0)
        refuseStart(problem);
    return child;
}

std::optional<int> endedStatus(pid_t child) {
    int status = 0;
    const pid_t ended = ::waitpid(child, &status, WNOHANG);
    if (ended == child)
        return exitStatus(status);
    return ended < 0 && errno != EINTR ? std::optional(1) : std::nullopt;
}

std::string lastLineOfLog(const std::filesystem::path& log) {
    constexpr std::string_view kHint = "Run with --help for more information."; // CLI11's, below what is wrong
    std::ifstream in(log);
    std::string last;
    for (std::string line; std::getline(in, line);)
        if (!line.empty() && line != kHint)
            last = std::move(line);
    return last;
}

} // namespace headroom::training
