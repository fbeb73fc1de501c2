// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/places/run_place.h"
#include "training/places/run_stream.h"
#include "training/places/talk_stream.h"

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace headroom::training {

/// How a conversation with the worker at a place ended.
enum class Talk {
    Ended, ///< the last frame came
    Lost,  ///< the connection broke, or nothing was heard for 20 s
    Left,  ///< this end did not want to go on
};

struct TalkHooks {
    std::function<bool(const Frame&)> take; ///< returns whether this was the last frame
    std::function<bool()> leave;            ///< asked often: whether to end the conversation
    /// Called often once that end has begun to answer; writes further lines.
    std::function<void(TalkStream&)> tell;
};

/// Starts headroom-worker with `arguments` at the place, writes `first` as its first line, and hands over the frames that it
/// answers with, until one is the last. `problem`: why the connection was lost, one sentence or empty. Throws Error as problemOf()
/// does, "place.version" if the first line has a request and the worker there has another version than this one; then nothing was
/// asked for; "place.worker" if no worker starts there, "place.said" with what it said before it ended, and what `take` throws.
/// `started`: the stream where it was begun before, by startTalk() with these arguments or by HostSessions, else null.
Talk converse(const Place& place, const std::vector<std::string>& arguments, const nlohmann::json& first, const TalkHooks& hooks,
              std::string& problem, std::unique_ptr<TalkStream> started = {});

/// Starts headroom-worker at the place: it loads LibTorch while what the conversation needs is copied, and waits for the first
/// line. Throws Error "process.start".
std::unique_ptr<TalkStream> startTalk(const Place& place, const std::vector<std::string>& arguments);

/// Writes how the contact stands into the place.json of `folder`, if that has changed. `heard`: when something was heard last
/// (UTC; empty: never), which is since when a contact is lost. Returns whether it changed. Throws the errors of writeRunPlace.
bool changeContact(const std::filesystem::path& folder, RunPlace& place, RunPlace::Contact contact, const std::string& sentence,
                   const std::string& heard);

/// Writes that the contact is lost, and when the next attempt begins: in `pause`.
void loseContact(const std::filesystem::path& folder, RunPlace& place, const std::string& sentence, const std::string& heard,
                 std::chrono::seconds pause);

/// Seconds until the next attempt after a connection was lost: 1, 2, 4 … 20. One thread.
class BackOff {
public:
    /// `answered`: the last conversation had an answer, so that waiting begins again at 1 s.
    std::chrono::seconds next(bool answered);
    /// Waits for so long, or until `leave` says so, or somebody asks for another attempt in `folder` (askToReconnect).
    void wait(std::chrono::seconds time, const std::filesystem::path& folder, const std::function<bool()>& leave);

private:
    std::chrono::seconds m_wait{1};
};

} // namespace headroom::training
