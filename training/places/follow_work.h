// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/places/do_work.h"
#include "training/places/launch_here.h"
#include "training/places/run_stream.h"

#include <chrono>
#include <map>
#include <optional>
#include <sys/types.h>

namespace headroom::training {

class SlurmFolder;

/// The end at the place of `evaluate --place` and `study --place`: starts the command if it is asked to, and sends what it says
/// and the documents that it writes, until it has ended or the reader is gone. The command does not notice. README.md of this
/// folder has the lines and frames. Not thread-safe.
class WorkFollower {
public:
    /// `folder`: of the command, absolute. `input`, `output`: descriptors of the stream.
    WorkFollower(std::filesystem::path folder, int input, int output);
    ~WorkFollower();

    /// Returns when there is nothing more to do. Throws Error "stream.bad" for a first line that is none, and what starting throws.
    void follow();

private:
    bool readLines();
    void take(const nlohmann::json& line);
    void begin(const nlohmann::json& line);
    void start();
    void stop();
    bool goesOn() const;
    bool send(nlohmann::json head, std::string_view bytes = {});
    void sendSaid(const char* name, const std::filesystem::path& file);
    void sendDocuments();
    bool look();

    WorkPaths m_paths;
    int m_input, m_output;
    std::unique_ptr<SlurmFolder> m_slurm; ///< null: it is computed on this machine
    std::string m_lines, m_waiting;
    bool m_gone = false, m_stated = false;
    std::map<std::string, std::uint64_t> m_said;   ///< bytes of output.txt and errors.txt that are there
    std::map<std::string, FileMark> m_documents;   ///< sent
    std::optional<pid_t> m_starting; ///< the process that was started and does not hold the lock yet
    std::chrono::steady_clock::time_point m_alive{};
};

} // namespace headroom::training
