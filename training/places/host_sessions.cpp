// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/places/host_sessions.h"

#include "core/commands/shell_words.h"
#include "training/places/connection.h"
#include "training/places/run_stream.h"

#include <atomic>
#include <condition_variable>
#include <sys/eventfd.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace headroom::training {

using nlohmann::json;

namespace {

using SessionClock = std::chrono::steady_clock;

constexpr std::chrono::seconds kDoubtful{10};         // without a sign of life, which comes every 2 s
constexpr std::chrono::seconds kSlowStart{60};        // the worker loads LibTorch first
constexpr std::chrono::milliseconds kLookAgain{1000}; // whether the program has ended
constexpr std::size_t kMostHeld = 16u << 20;          // bytes of a channel
constexpr int kBrokenSession = 255;

} // namespace

/// A session: one thread owns the program, and hands over what comes to the channels.
class HostSession {
public:
    struct Channel {
        std::string out, err;
        std::optional<int> status;
        bool closed = false;
        std::condition_variable came; ///< or was taken
    };

    explicit HostSession(const std::vector<std::string>& words)
        : m_process(words)
        , m_wake(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
        m_thread = std::thread([this] { serve(); });
    }
    ~HostSession() {
        m_leave = true;
        wake();
        m_thread.join();
        ::close(m_wake);
    }

    bool isUsable() {
        const std::lock_guard guard(m_mutex);
        return !m_ended && SessionClock::now() - m_heard < (m_started ? kDoubtful : kSlowStart);
    }

    int open(const std::string& run) {
        const std::lock_guard guard(m_mutex);
        const int number = ++m_last;
        m_channels[number] = std::make_shared<Channel>();
        if (m_ended)
            m_channels[number]->status = kBrokenSession;
        send({{"channel", number}, {"follow", run}});
        return number;
    }
    void close(int number) {
        const std::lock_guard guard(m_mutex);
        const auto channel = m_channels.at(number);
        channel->closed = true;
        channel->came.notify_all();
        m_channels.erase(number);
        send({{"channel", number}, {"close", true}});
    }
    bool write(int number, std::string_view bytes) {
        const std::lock_guard guard(m_mutex);
        if (m_ended || m_channels.at(number)->status)
            return false;
        send({{"channel", number}, {"text", bytes}});
        return true;
    }
    /// Moves what came for a channel to the caller.
    void take(int number, std::chrono::milliseconds patience, std::string& out, std::string& err,
              std::optional<int>& status) {
        std::unique_lock lock(m_mutex);
        const auto channel = m_channels.at(number);
        channel->came.wait_for(lock, patience, [&] {
            return !channel->out.empty() || !channel->err.empty() || channel->status;
        });
        out += std::exchange(channel->out, {});
        err += std::exchange(channel->err, {});
        status = channel->status;
        channel->came.notify_all();
    }

private:
    void wake() const {
        const std::uint64_t one = 1;
        [[maybe_unused]] const auto written = ::write(m_wake, &one, sizeof one);
    }
    /// With the mutex held.
    void send(const json& line) {
        m_lines += line.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
        wake();
    }

    void serve() {
        FrameReader reader;
        std::string said;
        try {
            while (!m_leave) {
                std::uint64_t count = 0;
                [[maybe_unused]] const auto taken = ::read(m_wake, &count, sizeof count);
                std::string lines;
                {
                    const std::lock_guard guard(m_mutex);
                    lines.swap(m_lines);
                }
                const auto status = m_process.status();
                const std::size_t before = m_process.out().size();
                m_process.write(lines);
                m_process.read(status ? std::chrono::milliseconds(0) : kLookAgain, m_wake);
                const bool grew = m_process.out().size() > before;
                said += std::exchange(m_process.err(), {});
                while (auto frame = reader.take(m_process.out()))
                    handOver(*frame, reader.hasStarted());
                if (status && !grew)
                    return end(*status, said);
            }
            end(kBrokenSession, said);
        } catch (const std::exception& error) { // what arrives is no frame
            end(kBrokenSession, error.what());
        }
    }
    void handOver(const Frame& frame, bool started) {
        std::unique_lock lock(m_mutex);
        m_heard = SessionClock::now();
        m_started = started;
        const auto found = m_channels.find(frame.head.value("channel", 0));
        if (found == m_channels.end()) // closed meanwhile, or a sign of life
            return;
        const std::shared_ptr<Channel> kept = found->second;
        Channel& channel = *kept;
        // What nobody takes is left where it is: a slow disk here must not fill the memory.
        channel.came.wait(lock, [&] { return channel.out.size() < kMostHeld || channel.closed || m_leave; });
        (frame.head.value("errors", false) ? channel.err : channel.out) += frame.bytes;
        if (const auto ended = frame.head.find("ended");
            ended != frame.head.end() && ended->is_number_integer())
            channel.status = ended->get<int>();
        channel.came.notify_all();
    }
    void end(int status, const std::string& said) {
        const std::lock_guard guard(m_mutex);
        m_ended = true;
        for (const auto& [number, channel] : m_channels) {
            if (!channel->status) {
                channel->status = status;
                channel->err += said;
            }
            channel->came.notify_all();
        }
    }

    ChildProcess m_process; ///< the thread's
    int m_wake;
    std::atomic<bool> m_leave{false};
    std::mutex m_mutex;  ///< of everything below
    std::string m_lines; ///< for that end
    std::map<int, std::shared_ptr<Channel>> m_channels;
    int m_last = 0;
    bool m_started = false, m_ended = false;
    SessionClock::time_point m_heard = SessionClock::now();
    std::thread m_thread;
};

namespace {

class ChannelStream : public TalkStream {
public:
    ChannelStream(std::shared_ptr<HostSession> session, const std::string& run)
        : m_session(std::move(session))
        , m_number(m_session->open(run)) {}
    ~ChannelStream() override { m_session->close(m_number); }

    bool write(std::string_view bytes) override { return m_session->write(m_number, bytes); }
    void read(std::chrono::milliseconds patience) override {
        m_session->take(m_number, patience, m_out, m_err, m_status);
    }
    std::string& out() override { return m_out; }
    std::string& err() override { return m_err; }
    std::optional<int> status() override { return m_status; }

private:
    std::shared_ptr<HostSession> m_session;
    int m_number;
    std::string m_out, m_err;
    std::optional<int> m_status;
};

} // namespace

HostSessions::HostSessions() = default;
HostSessions::~HostSessions() = default;

std::unique_ptr<TalkStream> HostSessions::follow(const Place& place, const std::string& run) {
    const std::vector<std::string> words = wordsAt(place, workerAt(place, {"places", "channels"}));
    const std::lock_guard guard(m_mutex);
    std::shared_ptr<HostSession>& session = m_sessions[shellLine(words)];
    if (!session || !session->isUsable())
        session = std::make_shared<HostSession>(words); // the other one ends with its last conversation
    return std::make_unique<ChannelStream>(session, run);
}

std::mutex& HostSessions::copying(const Place& place) {
    const std::lock_guard guard(m_mutex);
    return m_copying[place.host + "\n" + place.folder];
}

} // namespace headroom::training
