// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/places/conversation.h"

#include "core/errors/display_name.h"
#include "core/runs/run_folder.h"
#include "training/places/advice.h"
#include "training/places/connection.h"
#include "training/places/worker_start.h"

#include <algorithm>
#include <ctime>
#include <thread>

namespace headroom::training {

namespace {

using TalkClock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kLookHere{500}; // at requests of this end: twenty runs may be watched at once
constexpr std::chrono::seconds kSilence{20};     // a sign of life comes every 2 s
constexpr std::chrono::seconds kFirstAnswer{60}; // the worker loads LibTorch first, perhaps from a slow disk
constexpr int kSshEnded255 = 255, kNotFound = 127;
constexpr std::chrono::seconds kLongestPause{20};

std::string lastLineSaid(std::string text) {
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r'))
        text.pop_back();
    return validText(text.substr(text.rfind('\n') + 1));
}

/// UTC, so much later than now, as utcNow() has it.
std::string utcIn(std::chrono::seconds time) {
    const std::time_t then = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now() + time);
    std::tm parts{};
    ::gmtime_r(&then, &parts);
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
    return text;
}

[[noreturn]] void refuseTalk(const Place& place, int status, bool started, const std::string& errors) {
    if (status == kSshEnded255 && place.isRemote())
        throw problemOf(place, errors);
    if (const std::string why = started ? std::string() : whyNoWorker(place, errors); !why.empty())
        throw Error("place.worker", "headroom-worker does not start at " + place.name + ". " + why);
    const std::string said = lastLineSaid(errors);
    if (status == kNotFound || !started)
        throw Error("place.worker", "headroom-worker does not start at " + place.name + (said.empty() ? "" : ": " + said) +
                                        ". Test the place to see what is missing.");
    const std::string advice = adviceOnEnd(errors, place.name).empty() ? std::string() : adviceOn(errors, place, place.name);
    throw Error("place.said", place.name + ": " + said + (advice.empty() ? "" : " " + advice));
}

class ProcessStream : public TalkStream {
public:
    explicit ProcessStream(const std::vector<std::string>& words) : m_process(words) {}
    bool write(std::string_view bytes) override { return m_process.write(bytes); }
    void read(std::chrono::milliseconds patience) override { m_process.read(patience); }
    std::string& out() override { return m_process.out(); }
    std::string& err() override { return m_process.err(); }
    std::optional<int> status() override { return m_process.status(); }

private:
    ChildProcess m_process;
};

} // namespace

std::unique_ptr<TalkStream> startTalk(const Place& place, const std::vector<std::string>& arguments) {
    return std::make_unique<ProcessStream>(wordsAt(place, workerAt(place, arguments)));
}

Talk converse(const Place& place, const std::vector<std::string>& arguments, const nlohmann::json& first, const TalkHooks& hooks,
              std::string& problem, std::unique_ptr<TalkStream> started) {
    problem.clear();
    if (!started)
        started = startTalk(place, arguments);
    TalkStream& process = *started;
    FrameReader reader;
    bool met = false; // what is asked for is told to nobody before it is known who listens
    const auto meet = [&](const Frame& frame) {
        met = true;
        const auto version = frame.head.find("worker");
        const bool named = version != frame.head.end() && version->is_string();
        if (first.contains("request")) // what goes on there is watched, whoever computes it
            checkWorkerVersion(place, named ? version->get<std::string>() : std::string());
        process.write(first.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
        return named;
    };
    auto heard = TalkClock::now();
    TalkClock::time_point told{};
    std::string errors;
    for (;;) {
        const auto status = process.status();
        const std::size_t before = process.out().size();
        process.read(kLookHere);
        const bool grew = process.out().size() > before;
        while (auto frame = reader.take(process.out())) {
            heard = TalkClock::now();
            if (!met && meet(*frame))
                continue;
            if (hooks.take(*frame))
                return Talk::Ended;
        }
        errors += process.err();
        process.err().clear();
        if (hooks.leave())
            return Talk::Left;
        if (const auto time = TalkClock::now(); met && time - told >= kLookHere) {
            told = time;
            hooks.tell(process);
        }
        // Its streams need not end with it: ssh's connection in the background may hold them.
        if (status && !grew) {
            const bool failed = (*status == kSshEnded255 && place.isRemote()) || *status == kNotFound || !reader.hasStarted();
            if (failed || !errors.empty())
                refuseTalk(place, *status, reader.hasStarted(), errors);
            return Talk::Lost;
        }
        if (const auto silent = TalkClock::now() - heard; silent > (reader.hasStarted() ? kSilence : kFirstAnswer)) {
            problem = place.name + " has not answered for " +
                      std::to_string(std::chrono::duration_cast<std::chrono::seconds>(silent).count()) + " s.";
            return Talk::Lost;
        }
    }
}

std::chrono::seconds BackOff::next(bool answered) {
    if (answered)
        m_wait = std::chrono::seconds(1);
    const auto wait = m_wait;
    m_wait = std::min(m_wait * 2, kLongestPause);
    return wait;
}

void BackOff::wait(std::chrono::seconds time, const std::filesystem::path& folder, const std::function<bool()>& leave) {
    const auto until = TalkClock::now() + time;
    for (int look = 0; TalkClock::now() < until && !leave(); ++look) {
        if (look % 4 == 0 && takeReconnect(folder)) {
            m_wait = std::chrono::seconds(1);
            return;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
}

void loseContact(const std::filesystem::path& folder, RunPlace& place, const std::string& sentence, const std::string& heard,
                 std::chrono::seconds pause) {
    place.nextTry = utcIn(pause);
    if (!changeContact(folder, place, RunPlace::Contact::Lost, sentence, heard))
        writeRunPlace(folder, place);
}

bool changeContact(const std::filesystem::path& folder, RunPlace& place, RunPlace::Contact contact, const std::string& sentence,
                   const std::string& heard) {
    if (contact == place.contact && sentence == place.sentence && !place.since.empty())
        return false;
    if (contact != place.contact || place.since.empty())
        place.since = contact == RunPlace::Contact::Lost && !heard.empty() ? heard : utcNow();
    if (contact != RunPlace::Contact::Lost)
        place.nextTry.clear();
    if (contact != RunPlace::Contact::Copying)
        place.copy.reset();
    place.contact = contact;
    place.sentence = sentence;
    writeRunPlace(folder, place);
    return true;
}

} // namespace headroom::training
