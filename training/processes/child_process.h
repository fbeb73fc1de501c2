// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

namespace headroom::training {

/// A program that this one started with a list of arguments, never through a shell. Its three streams are
/// pipes. The destructor kills it. Not thread-safe.
class ChildProcess {
public:
    /// Starts `words[0]`, looked up on PATH. Throws Error "process.start": "ssh could not be started: No such
    /// file…".
    explicit ChildProcess(const std::vector<std::string>& words);
    ~ChildProcess();
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;

    /// Writes everything to its standard input, and takes in what it says meanwhile, so that neither waits
    /// for the other. Returns false if it no longer reads.
    bool write(std::string_view bytes);
    void closeInput();
    /// Takes in what it has written, waiting at most this long for the first byte. Returns false if both its
    /// streams have ended and nothing new came. `other`: a descriptor whose first byte ends the waiting too; −1: none.
    bool read(std::chrono::milliseconds patience, int other = -1);
    /// What it wrote and nobody took yet; the caller removes what it used.
    std::string& out() { return m_out; }
    std::string& err() { return m_err; }
    /// Its exit status (128 + N after signal N) if it has ended. Does not wait.
    std::optional<int> status();
    void kill(int signal);

private:
    bool take(int& descriptor, std::string& into);

    pid_t m_process = 0;
    int m_input = -1, m_output = -1, m_errors = -1;
    std::string m_out, m_err;
    std::optional<int> m_status;
};

struct Ended {
    int status = 0; ///< as a shell gives it; 124 if it was killed because time was up
    std::string out, err;
    bool timedOut = false;
};

/// Runs a program to its end. Kills it when time is up. A process that it leaves in the background and that
/// keeps its streams, as ssh's master connection, is not waited for. `meanwhile`: called every few milliseconds.
/// Throws Error "process.start".
Ended runToEnd(const std::vector<std::string>& words, std::string_view input,
               std::chrono::milliseconds patience, const std::function<void()>& meanwhile = {});

} // namespace headroom::training
