// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/places/watch_work.h"

#include "core/runs/run_folder.h"
#include "core/tensors/atomic_file.h"
#include "training/places/connection.h"
#include "training/places/copy_there.h"

#include <csignal>
#include <utility>

namespace headroom::training {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using nlohmann::ordered_json;

std::string stringIn(const json& head, const char* key) {
    const auto found = head.find(key);
    return found != head.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::string replacePaths(std::string text, const std::map<std::string, std::string>& paths) {
    for (auto one = paths.rbegin(); one != paths.rend(); ++one) // a longer path before its own folder
        for (std::size_t at = 0; (at = text.find(one->first, at)) != std::string::npos;) {
            const std::size_t end = at + one->first.size();
            const bool begins = at == 0 || text[at - 1] == ' ' || text[at - 1] == '"';
            const bool whole = end == text.size() || std::string_view("/ .:,;\"\n").find(text[end]) != std::string_view::npos;
            if (!begins || !whole) {
                at = end;
                continue;
            }
            text.replace(at, one->first.size(), one->second);
            at += one->second.size();
        }
    return text;
}

} // namespace

ordered_json withPaths(const ordered_json& document, const std::map<std::string, std::string>& paths) {
    if (document.is_string())
        return replacePaths(document.get<std::string>(), paths);
    if (!document.is_structured())
        return document;
    ordered_json changed = document;
    for (auto& value : changed)
        value = withPaths(value, paths);
    return changed;
}

WorkWatch::WorkWatch(fs::path out, RunPlace place, Hooks hooks)
    : m_out(std::move(out))
    , m_place(std::move(place))
    , m_hooks(std::move(hooks)) {
    ::signal(SIGPIPE, SIG_IGN); // an ssh that has ended is seen when writing
}

void WorkWatch::contact(RunPlace::Contact contact, const std::string& sentence) {
    if (changeContact(m_out, m_place, contact, sentence, m_heard) && !sentence.empty())
        m_hooks.note(sentence);
}

void WorkWatch::write(const std::string& name, const std::string& text) const {
    const auto document = ordered_json::parse(text, nullptr, false);
    const std::string here =
        document.is_discarded() ? text : withPaths(document, m_here).dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
    writeAtomically(m_out / name, std::string_view(here), "output.unwritable");
}

/// A document that says that it goes on is for those who look on; every other one is the last thing to appear.
void WorkWatch::takeDocument(const Frame& frame) {
    const std::string name = stringIn(frame.head, "document");
    if (name.empty() || name.front() == '.' || name.find('/') != std::string::npos || fs::path(name).extension() != ".json" ||
        name == "place.json")
        throw Error("stream.bad", "The command there sent a file that is not part of its output.");
    std::string& text = m_parts[name];
    if (frame.head.value("from", json(0u)) == 0u)
        text.clear();
    text += frame.bytes;
    if (frame.head.value("total", json(0u)) != text.size())
        return;
    const json document = json::parse(text, nullptr, false);
    const bool goesOn = document.is_object() && document.value("state", json()) == toText(RunState::Running);
    if (goesOn || name == "progress.json")
        write(name, text);
    else
        m_last[name] = text;
    m_parts.erase(name);
}

/// Returns whether this was the last frame.
bool WorkWatch::take(const Frame& frame) {
    m_heard = utcNow();
    m_answered = true;
    if (frame.head.contains("alive")) { // it may come while sbatch is waited for
        if (m_place.contact == RunPlace::Contact::Lost)
            contact(RunPlace::Contact::Connected);
        return false;
    }
    if (!m_place.begun) {
        m_place.begun = true; // it was handed over: never again from the beginning
        writeRunPlace(m_out, m_place);
    }
    m_request = json();
    if (const auto paths = frame.head.find("paths"); paths != frame.head.end() && paths->is_object())
        for (const auto& [there, here] : paths->items())
            if (here.is_string())
                m_here[there] = here.get<std::string>();
    if (const std::string said = stringIn(frame.head, "said"); !said.empty()) {
        m_said[said] += frame.bytes.size();
        const std::string text = replacePaths(frame.bytes, m_here);
        said == "output" ? m_hooks.output(text) : m_hooks.errors(text);
    }
    if (frame.head.contains("document"))
        takeDocument(frame);
    if (const std::string waits = stringIn(frame.head, "waiting"); !waits.empty())
        contact(RunPlace::Contact::Waiting, waits);
    else if (frame.head.contains("waiting") || m_place.contact != RunPlace::Contact::Waiting)
        contact(RunPlace::Contact::Connected);
    const auto end = frame.head.find("end");
    if (end == frame.head.end())
        return false;
    if (end->is_number_integer())
        m_status = end->get<int>();
    m_endSentence = stringIn(frame.head, "sentence");
    if (m_status && !m_endSentence.empty()) // what the command said itself may not have been written there
        m_hooks.errors(m_endSentence + "\n");
    return true;
}

/// Brings arrays and tables here, then the documents.
void WorkWatch::finish() {
    fetchFolder(m_place.place, m_place.folder + "/out", m_out, {"/*.json", "/lock"});
    for (const auto& [name, text] : m_last)
        write(name, text);
    contact(RunPlace::Contact::Ended, m_endSentence);
}

std::optional<int> WorkWatch::watch(const WorkCommand& command) {
    if (!m_place.begun)
        m_request = {{"request", "begin"}, {"words", command.words}, {"paths", command.paths}, {"beside", command.beside}};
    else if (command.resume)
        m_request = {{"request", "resume"}};
    BackOff backOff;
    bool triedToStop = false, triedToLeave = false;
    for (;;) {
        m_answered = false;
        json first{{"place", toJson(m_place.place)}, {"said", m_said}};
        if (m_request.is_object())
            first.update(m_request);
        bool told = false;
        TalkHooks hooks;
        hooks.take = [&](const Frame& frame) { return take(frame); };
        hooks.leave = [&] { return m_place.begun && m_hooks.detach(); }; // not before it is known whether it was handed over
        hooks.tell = [&](TalkStream& stream) {
            if (!told && m_place.begun && m_hooks.stop())
                told = stream.write(json({{"request", "stop"}}).dump() + "\n");
        };
        Talk outcome = Talk::Lost;
        try {
            outcome = converse(m_place.place, {"places", "work", m_place.folder}, first, hooks, m_problem);
            if (outcome == Talk::Ended) {
                finish();
                break;
            }
            if (outcome == Talk::Left)
                return std::nullopt;
        } catch (const Error& error) {
            if (!m_place.begun || (error.code() == "place.said" && m_request.is_object()) || !mayPass(error))
                throw;
            m_problem = error.what();
        }
        if (!m_place.begun)
            throw Error("place.lost", m_problem.empty() ? "The connection to " + m_place.place.name + " was lost." : m_problem);
        const bool isNews = m_place.contact != RunPlace::Contact::Lost || m_place.sentence != m_problem;
        const auto pause = backOff.next(m_answered);
        loseContact(m_out, m_place, m_problem, m_heard, pause);
        if (isNews && !m_problem.empty())
            m_hooks.note(m_problem);
        backOff.wait(pause, m_out, [&] { return m_hooks.leave() || m_hooks.detach() || (m_hooks.stop() && !std::exchange(triedToStop, true)); });
        if (m_hooks.detach() || (m_hooks.leave() && std::exchange(triedToLeave, true)))
            return std::nullopt;
    }
    if (!m_status && m_endSentence.empty())
        throw Error("work.vanished", "The command was ended at " + m_place.place.name + " by something else, or the machine restarted.");
    if (!m_status)
        throw Error("work.ended", m_place.place.name + ": " + m_endSentence);
    return m_status;
}

} // namespace headroom::training
