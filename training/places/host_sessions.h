// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/places/place.h"
#include "training/places/talk_stream.h"

#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace headroom::training {

class HostSession;

/// One session with the worker at each host, which all conversations of this process about runs there share:
/// sshd allows ten sessions on a connection (MaxSessions). That end is `headroom-worker places channels`.
/// Thread-safe.
class HostSessions {
public:
    HostSessions();
    ~HostSessions();

    /// Begins the conversation that `headroom-worker places follow RUN` has, in the session of the place;
    /// starts the session if there is none, or if nothing has been heard of it for 10 s. `run`: a folder
    /// there. Throws Error "process.start".
    std::unique_ptr<TalkStream> follow(const Place& place, const std::string& run);

    /// Copying to a place takes turns: what the first run brings there is not copied again by the others.
    std::mutex& copying(const Place& place);

private:
    std::mutex m_mutex;
    std::map<std::string, std::mutex> m_copying;                    ///< by host and folder
    std::map<std::string, std::shared_ptr<HostSession>> m_sessions; ///< by the command line that starts them
};

} // namespace headroom::training
