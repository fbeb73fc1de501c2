// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/places/run_place.h"
#include "core/runs/run_folder.h"
#include "training/places/conversation.h"
#include "training/places/host_sessions.h"
#include "training/places/launch_here.h"
#include "training/places/mirror.h"

#include <atomic>
#include <functional>
#include <optional>

namespace headroom::training {

/// The end on this machine of a run at a place: starts it there, keeps its folder here equal to the one
/// there, passes on what control.json asks for, and finds it again after a connection was lost: after 1, 2, 4
/// … 20 s, for as long as it takes. RUN/place.json says how it stands. Holds the run's lock as soon as there
/// is a run.json, so that every reader sees a run that goes on. One thread.
class RunWatch {
public:
    struct Hooks {
        const std::atomic<bool>* stop = nullptr; ///< ends the watching; the run goes on there
        const std::atomic<bool>* leave = nullptr; ///< the same, set by what arrives
        std::function<void(const std::string& sentence)> note;
        std::function<void(const Frame&)> arrived; ///< after every frame
        std::function<void()> begun;              ///< it was handed over there
        HostSessions* sessions = nullptr;         ///< whose session is used; null: a connection of its own
    };
    /// `run`: the run's folder here, absolute. `place`: with the folder there.
    RunWatch(std::filesystem::path run, RunPlace place, Hooks hooks);

    /// Has the worker there started, which takes its time; watch() needs it. Throws Error "process.start".
    void prepare();

    /// Watches until the run has ended and is here, or `stop` is set (nullopt). `request`: what to start if
    /// it was not handed over yet; nullopt: watch what is there. `resume`: go on with it if it has stopped
    /// there. Throws Error if it cannot be started, with what the place said; a connection that is lost later
    /// is no error.
    std::optional<RunState> watch(const std::optional<RunInputs>& request, bool resume);

private:
    Talk talk();
    bool take(const Frame& frame);
    void passOn(TalkStream& stream, bool& told);
    std::unique_ptr<TalkStream> begin();
    void contact(RunPlace::Contact contact, const std::string& sentence = {});
    void holdRun();
    bool isStopped() const { return (m_hooks.stop && m_hooks.stop->load()) || (m_hooks.leave && m_hooks.leave->load()); }

    std::filesystem::path m_run;
    RunPlace m_place;
    Hooks m_hooks;
    Mirror m_mirror;
    std::optional<FileLock> m_lock;
    std::unique_ptr<TalkStream> m_prepared; ///< of the first conversation
    nlohmann::json m_request; ///< what is still to be asked for, or null
    std::string m_passed;     ///< of control.json, as it was passed on last: "stop", "pause", "evaluate" or ""
    bool m_answered = false;  ///< a frame came in this conversation
    std::string m_problem;    ///< why the connection was lost
    std::string m_heard;      ///< UTC of the last frame; empty: none yet
    std::string m_end, m_endSentence;
};

} // namespace headroom::training
