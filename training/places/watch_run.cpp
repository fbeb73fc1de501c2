// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/places/watch_run.h"

#include "core/errors/display_name.h"
#include "core/runs/run_control.h"
#include "core/runs/strict_json.h"
#include "training/places/connection.h"

#include <csignal>
#include <thread>

namespace headroom::training {

using nlohmann::json;
namespace fs = std::filesystem;

namespace {

std::string textIn(const json& head, const char* key) {
    const auto found = head.find(key);
    return found != head.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// The script as the user left it; empty: there is none.
std::string scriptHere(const fs::path& run) {
    std::error_code ignored;
    return fs::exists(runScriptFile(run), ignored) ? readSmallFile(runScriptFile(run), "run.unreadable") : std::string();
}

std::vector<std::string> followWords(const RunPlace& place) {
    return {"places", "follow", place.folder};
}

} // namespace

RunWatch::RunWatch(fs::path run, RunPlace place, Hooks hooks)
    : m_run(std::move(run))
    , m_place(std::move(place))
    , m_hooks(std::move(hooks))
    , m_mirror(m_run, m_place.allCheckpoints) {
    ::signal(SIGPIPE, SIG_IGN); // an ssh that has ended is seen when writing
}

void RunWatch::contact(RunPlace::Contact contact, const std::string& sentence) {
    if (changeContact(m_run, m_place, contact, sentence, m_heard) && !sentence.empty() && m_hooks.note)
        m_hooks.note(sentence);
}

void RunWatch::holdRun() {
    if (m_lock)
        return;
    for (int attempt = 0; !m_lock; ++attempt) { // a window may just be asking whether it is held
        try {
            m_lock = takeRun(m_run);
        } catch (const Error& error) {
            if (error.code() != "run.inUse" || attempt == 4)
                throw;
            std::this_thread::sleep_for(std::chrono::milliseconds(200));
        }
    }
}

void RunWatch::prepare() {
    m_prepared = begin();
}

std::unique_ptr<TalkStream> RunWatch::begin() {
    return m_hooks.sessions ? m_hooks.sessions->follow(m_place.place, m_place.folder)
                            : startTalk(m_place.place, followWords(m_place));
}

std::optional<RunState> RunWatch::watch(const std::optional<RunInputs>& request, bool resume) {
    if (fs::exists(RunPaths{m_run}.run()))
        holdRun();
    m_request = json();
    if (request && !m_place.begun) {
        m_request = {{"request", "begin"},
                     {"architecture", request->architecture},
                     {"recipe", request->recipe},
                     {"data", request->data.string()},
                     {"startFrom", request->startFrom}};
        if (request->hold)
            m_request["hold"] = true;
        for (const auto& [run, recipe] : request->array)
            m_request["array"].push_back({{"run", run}, {"recipe", recipe}});
    } else if (resume) {
        m_request = {{"request", m_place.held ? "send" : "resume"}};
        if (m_place.held)
            m_request["script"] = scriptHere(m_run);
        takeRequest(m_run, RunControl::Pause); // of before: it is to go on
    }
    BackOff backOff;
    for (;;) {
        Talk outcome = Talk::Lost;
        try {
            outcome = talk();
        } catch (const Error& error) {
            // What was not handed over yet is not started by itself later: the user is told at once.
            if (!m_place.begun || error.code() == "run.unwritable" || error.code() == "run.inUse" ||
                error.code() == "place.version" ||
                (error.code() == "place.said" && m_request.is_object())) // it refuses what was asked for
                throw;
            m_problem = error.what();
        }
        if (outcome == Talk::Left)
            return std::nullopt;
        if (outcome == Talk::Ended)
            break;
        if (!m_place.begun)
            throw Error("place.lost", m_problem.empty()
                                          ? "The connection to " + m_place.place.name + " was lost."
                                          : m_problem);
        const bool isNews = m_place.contact != RunPlace::Contact::Lost || m_place.sentence != m_problem;
        const auto pause = backOff.next(m_answered);
        loseContact(m_run, m_place, m_problem, m_heard, pause);
        if (isNews && !m_problem.empty() && m_hooks.note)
            m_hooks.note(m_problem);
        backOff.wait(pause, m_run, [this] { return isStopped(); });
        if (isStopped())
            return std::nullopt;
    }
    clearRequest(m_run);
    m_mirror.tidy();
    if (m_end == "none" && fs::exists(RunPaths{m_run}.run())) {
        const std::string gone = "The run's folder is no longer at " + m_place.place.name + " (" +
                                 validText(m_place.folder) +
                                 "), so the run cannot continue. What it wrote before is here: start a new "
                                 "run from its last checkpoint.";
        contact(RunPlace::Contact::Ended, gone);
        throw Error("place.gone", gone, {{"place", m_place.place.name}});
    }
    if (m_end == "none" && m_place.begun) { // it never began: the same command starts it again
        m_place.begun = false;
        writeRunPlace(m_run, m_place);
    }
    contact(RunPlace::Contact::Ended, m_endSentence);
    if (m_end == "none" && m_passed == "stop")
        throw Error("place.takenBack", m_endSentence.empty() ? "The run was removed from the queue of " +
                                                                   m_place.place.name + "."
                                                             : m_place.place.name + ": " + m_endSentence);
    if (m_end == "none")
        throw Error(
            "place.notStarted",
            m_endSentence.empty()
                ? "The run did not begin at " + m_place.place.name +
                      ", and no job of it waits there. Start it again with the command that started it."
                : m_place.place.name + ": " + m_endSentence);
    m_lock.reset();
    return readRun(m_run).state;
}

Talk RunWatch::talk() {
    m_answered = false;
    json first = m_mirror.state();
    first["place"] = toJson(m_place.placeToCompute());
    if (m_place.ranks > 0)
        first["ranks"] = m_place.ranks;
    if (m_place.allCheckpoints)
        first["checkpoints"] = "all";
    if (m_request.is_object())
        first.update(m_request);
    bool told = false;
    TalkHooks hooks;
    hooks.take = [&](const Frame& frame) {
        m_heard = utcNow();
        m_answered = true;
        return take(frame);
    };
    hooks.leave = [&] { return isStopped(); };
    hooks.tell = [&](TalkStream& stream) {
        if (m_place.begun)
            passOn(stream, told);
    };
    return converse(m_place.place, followWords(m_place), first, hooks, m_problem,
                    m_prepared ? std::move(m_prepared) : begin());
}

/// Passes on what control.json here asks for, once in a conversation, and that a pause was taken back.
void RunWatch::passOn(TalkStream& stream, bool& told) {
    const RunControl control = controlOf(m_run);
    const std::string wanted = requestOf(m_run) == RunRequest::Stop ? "stop"
                               : control == RunControl::Pause       ? "pause"
                               : control == RunControl::Evaluate    ? "evaluate"
                               : control == RunControl::Send        ? "send"
                                                                    : "";
    if (wanted == m_passed && (told || wanted.empty()))
        return;
    const std::string line = wanted.empty() && m_passed == "pause" ? "continue" : wanted;
    json request{{"request", line}};
    if (line == "send")
        request["script"] = scriptHere(m_run);
    if (!line.empty() && !stream.write(request.dump(-1, ' ', false, json::error_handler_t::replace) + "\n"))
        return;
    m_passed = wanted;
    told = true;
}

/// Returns whether this was the last frame.
bool RunWatch::take(const Frame& frame) {
    const std::string part = textIn(frame.head, "part"), growing = textIn(frame.head, "append");
    const bool document = part == "run.json";
    if (document) {
        m_place.held = false;
        holdRun(); // before a reader can find a run that says “running” and that nobody holds
    }
    const bool brought = m_mirror.apply(frame);
    const std::string waits = textIn(frame.head, "waiting");
    m_end = textIn(frame.head, "end");
    m_endSentence = textIn(frame.head, "sentence");
    if (!m_place.begun && (brought || !waits.empty() || !m_end.empty())) {
        m_place.begun = m_end != "none"; // it was handed over: never again from the beginning
        m_request = json();
        writeRunPlace(m_run, m_place);
        if (m_place.begun && m_hooks.begun)
            m_hooks.begun();
    } else if (m_request.is_object() && (brought || !waits.empty())) {
        m_request = json();
    }
    if (const bool held = frame.head.value("held", json()) == true; !waits.empty() && held != m_place.held) {
        m_place.held = held;
        writeRunPlace(m_run, m_place);
    }
    if (!waits.empty())
        contact(RunPlace::Contact::Waiting, waits);
    else if ((document && saysRunning(m_run)) || growing == "events.jsonl")
        contact(RunPlace::Contact::Connected);
    else if (m_place.contact == RunPlace::Contact::Lost)
        contact(m_lock ? RunPlace::Contact::Connected : RunPlace::Contact::Waiting);
    if (textIn(frame.head, "obeyed") == "evaluate") // a pause stays until the user takes it back
        takeRequest(m_run, RunControl::Evaluate);
    else if (textIn(frame.head, "obeyed") == "send")
        takeRequest(m_run, RunControl::Send);
    if (m_hooks.arrived)
        m_hooks.arrived(frame);
    return !m_end.empty();
}

} // namespace headroom::training
