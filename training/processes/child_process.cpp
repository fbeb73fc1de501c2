// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/processes/child_process.h"

#include "core/errors/error.h"
#include "training/processes/exit_status.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <system_error>
#include <thread>
#include <unistd.h>

extern char** environ;

namespace headroom::training {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int kTimeoutStatus = 124;
constexpr std::size_t kMostTaken = 4u << 20; // what is not used is left in the pipe

void closeIfOpen(int& descriptor) {
    if (descriptor >= 0)
        ::close(descriptor);
    descriptor = -1;
}

[[noreturn]] void refuseStart(const std::string& program, int problem) {
    throw Error("process.start",
                program + " could not be started: " + std::system_category().message(problem) + ".",
                {{"program", program}});
}

} // namespace

ChildProcess::ChildProcess(const std::vector<std::string>& words) {
    int input[2], output[2], errors[2];
    if (::pipe2(input, O_CLOEXEC) != 0)
        refuseStart(words.front(), errno);
    if (::pipe2(output, O_CLOEXEC) != 0 || ::pipe2(errors, O_CLOEXEC) != 0)
        refuseStart(words.front(), errno);
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, input[0], 0);
    ::posix_spawn_file_actions_adddup2(&actions, output[1], 1);
    ::posix_spawn_file_actions_adddup2(&actions, errors[1], 2);
    // Ctrl-C in the terminal is for this program, which ends the connection itself.
    posix_spawnattr_t attributes;
    ::posix_spawnattr_init(&attributes);
    sigset_t defaults;
    ::sigemptyset(&defaults);
    ::sigaddset(&defaults, SIGPIPE);
    ::posix_spawnattr_setsigdefault(&attributes, &defaults);
    ::posix_spawnattr_setpgroup(&attributes, 0);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    std::vector<std::string> copies = words;
    std::vector<char*> pointers;
    for (std::string& word : copies)
        pointers.push_back(word.data());
    pointers.push_back(nullptr);
    const int problem =
        ::posix_spawnp(&m_process, pointers[0], &actions, &attributes, pointers.data(), environ);
    ::posix_spawn_file_actions_destroy(&actions);
    ::posix_spawnattr_destroy(&attributes);
    ::close(input[0]);
    ::close(output[1]);
    ::close(errors[1]);
    m_input = input[1];
    m_output = output[0];
    m_errors = errors[0];
    if (problem != 0) {
        closeIfOpen(m_input);
        closeIfOpen(m_output);
        closeIfOpen(m_errors);
        m_process = 0;
        refuseStart(words.front(), problem);
    }
    for (const int descriptor : {m_input, m_output, m_errors})
        ::fcntl(descriptor, F_SETFL, ::fcntl(descriptor, F_GETFL) | O_NONBLOCK);
}

ChildProcess::~ChildProcess() {
    closeIfOpen(m_input);
    if (m_process > 0 && !status()) {
        kill(SIGTERM);
        for (int i = 0; i < 20 && !status(); ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        if (!status()) {
            kill(SIGKILL);
            int ignored = 0;
            ::waitpid(m_process, &ignored, 0);
        }
    }
    closeIfOpen(m_output);
    closeIfOpen(m_errors);
}

bool ChildProcess::take(int& descriptor, std::string& into) {
    std::array<char, 65536> buffer;
    while (descriptor >= 0 && into.size() < kMostTaken) {
        const ssize_t count = ::read(descriptor, buffer.data(), buffer.size());
        if (count > 0) {
            into.append(buffer.data(), static_cast<std::size_t>(count));
            continue;
        }
        if (count < 0 && errno == EINTR)
            continue;
        if (count == 0 || errno != EAGAIN)
            closeIfOpen(descriptor);
        break;
    }
    return descriptor >= 0;
}

bool ChildProcess::write(std::string_view bytes) {
    while (!bytes.empty()) {
        if (m_input < 0)
            return false;
        const ssize_t count = ::write(m_input, bytes.data(), bytes.size());
        if (count > 0) {
            bytes.remove_prefix(static_cast<std::size_t>(count));
            continue;
        }
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0 && errno != EAGAIN) {
            closeIfOpen(m_input);
            return false;
        }
        std::array<pollfd, 3> waiting{pollfd{m_input, POLLOUT, 0}, pollfd{m_output, POLLIN, 0},
                                      pollfd{m_errors, POLLIN, 0}};
        ::poll(waiting.data(), waiting.size(), 200);
        take(m_output, m_out);
        take(m_errors, m_err);
        if (status())
            return false;
    }
    return true;
}

void ChildProcess::closeInput() {
    closeIfOpen(m_input);
}

bool ChildProcess::read(std::chrono::milliseconds patience, int other) {
    const std::size_t before = m_out.size() + m_err.size();
    std::array<pollfd, 3> waiting{pollfd{m_output, POLLIN, 0}, pollfd{m_errors, POLLIN, 0},
                                  pollfd{other, POLLIN, 0}};
    if (m_output >= 0 || m_errors >= 0)
        ::poll(waiting.data(), waiting.size(), static_cast<int>(patience.count()));
    take(m_output, m_out);
    take(m_errors, m_err);
    return m_out.size() + m_err.size() > before || m_output >= 0 || m_errors >= 0;
}

std::optional<int> ChildProcess::status() {
    int raw = 0;
    if (!m_status && m_process > 0 && ::waitpid(m_process, &raw, WNOHANG) == m_process)
        m_status = exitStatus(raw);
    return m_status;
}

void ChildProcess::kill(int signal) {
    if (m_process > 0 && !m_status)
        ::kill(m_process, signal);
}

Ended runToEnd(const std::vector<std::string>& words, std::string_view input,
               std::chrono::milliseconds patience, const std::function<void()>& meanwhile) {
    ChildProcess process(words);
    const auto until = Clock::now() + patience;
    process.write(input);
    process.closeInput();
    Ended ended;
    for (;;) {
        const bool open = process.read(std::chrono::milliseconds(20));
        if (const auto status = process.status()) {
            process.read(std::chrono::milliseconds(0)); // what it wrote at last
            ended.status = *status;
            break;
        }
        if (Clock::now() > until) {
            process.kill(SIGKILL);
            ended.timedOut = true;
            ended.status = kTimeoutStatus;
            break;
        }
        if (meanwhile)
            meanwhile();
        if (!open)
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    ended.out = std::move(process.out());
    ended.err = std::move(process.err());
    return ended;
}

} // namespace headroom::training
