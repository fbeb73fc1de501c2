// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/places/do_work.h"
#include "training/places/follower_stream.h"
#include "training/places/launch_here.h"

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
    void take(const nlohmann::json& line);
    void begin(const nlohmann::json& line);
    void start();
    void stop();
    bool goesOn() const;
    void sendSaid(const char* name, const std::filesystem::path& file);
    void sendDocuments();
    bool look();

    WorkPaths m_paths;
    FollowerStream m_stream;
    std::unique_ptr<SlurmFolder> m_slurm; ///< null: it is computed on this machine
    std::string m_place; ///< the reader's name of this machine
    std::optional<std::string> m_waiting; ///< what was told last; empty: that it is computed
    bool m_stated = false;
    std::map<std::string, std::uint64_t> m_said;   ///< bytes of output.txt and errors.txt that are there
    std::map<std::string, FileMark> m_documents;   ///< sent
    std::optional<pid_t> m_starting; ///< the process that was started and does not hold the lock yet
};

} // namespace headroom::training
