// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/places/follower_stream.h"
#include "training/places/launch_here.h"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace headroom::training {

/// The end at the place of `headroom-worker train --place`: begins or resumes a run of this machine if it is
/// asked to, and writes everything that the run writes to a stream, until the run has ended and everything
/// was sent, or until the reader is gone. Events come first, then small files, then weights in pieces. The
/// run does not notice. README.md of this folder has the lines and frames. Not thread-safe.
class RunFollower {
public:
    /// `run`: the run's folder. `input`, `output`: descriptors of the stream.
    RunFollower(std::filesystem::path run, int input, int output, StartQueue startQueue);

    /// Returns when there is nothing more to do. Throws Error "stream.bad" for a first line that is none, and
    /// what launching throws.
    void follow();

private:
    struct Sending {
        FileMark mark;
        std::uint64_t bytes = 0; ///< of it that are there
    };
    void take(const nlohmann::json& line);
    void takeState(const nlohmann::json& line);
    void control(const std::string& wanted);
    void saysItGoesOn(const std::string& name);
    void tellWaiting(const LaunchStatus& status);
    void tellThatItRests(const LaunchStatus& status);
    std::string whyItEnded(const RunInfo& info, const std::string& sentence) const;
    void sendGrowing(const std::string& name);
    bool sendPiece(const std::string& name);
    bool sendWhole(const std::string& name);
    void sendSmallFiles();
    bool sendWeights(bool ended);
    bool sendCheckpoints();
    bool look();

    std::filesystem::path m_run;
    FollowerStream m_stream;
    StartQueue m_startQueue;
    std::string m_place; ///< the reader's name of this machine
    std::unique_ptr<RunLauncher> m_launcher;
    bool m_stated = false; ///< the reader has said what it has
    bool m_stopAsked = false; ///< by this reader, and nothing that goes on since
    bool m_allCheckpoints = false;
    std::vector<std::string> m_kept; ///< checkpoints that the reader knows of
    bool m_more = false;   ///< a piece of a longer file was sent: the next follows at once
    std::map<std::string, FileMark> m_sent;
    std::map<std::string, Sending> m_parts;
    std::map<std::string, std::string> m_links;
    std::string m_told; ///< why the run waits, as the reader knows it now
};

} // namespace headroom::training
