// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

namespace headroom::training {
class ChildProcess;
}

namespace headroom::benchmarks {

/// A script that measures another library: asked with one line, it answers with one line of JSON. Both sides are
/// measured in turn, because other work on a machine comes and goes. One thread.
class PeerProcess {
public:
    /// Starts the script and waits for its first line, {"torch", "transformers"}. An empty `python` starts nothing.
    PeerProcess(const std::filesystem::path& python, const std::filesystem::path& script);
    ~PeerProcess();
    PeerProcess(const PeerProcess&) = delete;
    PeerProcess& operator=(const PeerProcess&) = delete;

    bool answers() const { return m_problem.empty(); }
    /// Why there is no answer, in one sentence.
    const std::string& problem() const { return m_problem; }
    /// "transformers 5.23, torch 2.11 (eager, SDPA)"
    const std::string& name() const { return m_name; }
    /// Returns its answer; null if it ended, and then answers() is false.
    nlohmann::json ask(const std::string& question);
    /// Lets it end, so that it takes no memory.
    void end();

private:
    nlohmann::json line();

    std::unique_ptr<training::ChildProcess> m_child;
    std::string m_problem, m_name;
};

} // namespace headroom::benchmarks
