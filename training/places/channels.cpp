// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/places/channels.h"

#include "training/places/follower_stream.h"
#include "training/processes/exit_status.h"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <iostream>
#include <map>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace headroom::training {

using nlohmann::json;

namespace {

constexpr std::chrono::milliseconds kLongestWait{1000};

void closeOnce(int& descriptor) {
    if (descriptor >= 0)
        ::close(descriptor);
    descriptor = -1;
}

/// One conversation: a process, and what is left to be written to it.
struct Follower {
    pid_t process = 0;
    int input = -1, output = -1, errors = -1;
    std::string waiting; ///< lines that it has not taken yet

    void write() {
        while (input >= 0 && !waiting.empty()) {
            const ssize_t count = ::write(input, waiting.data(), waiting.size());
            if (count > 0)
                waiting.erase(0, static_cast<std::size_t>(count));
            else if (count < 0 && errno == EINTR)
                continue;
            else if (count < 0 && errno == EAGAIN)
                return;
            else
                closeOnce(input);
        }
    }
    void closeAll() {
        for (int* descriptor : {&input, &output, &errors})
            closeOnce(*descriptor);
    }
};

class Channels {
public:
    Channels(int input, int output, std::function<void(const std::string&)> follow)
        : m_stream(input, output)
        , m_follow(std::move(follow)) {}

    void serve() {
        if (!m_stream.begin())
            return;
        while (!m_stream.isGone() && m_stream.readLines([this](const json& line) { take(line); })) {
            std::vector<pollfd> others;
            for (auto one = m_followers.begin(); one != m_followers.end();) {
                one->second.write();
                one = passOn(one->first, one->second, others) ? std::next(one) : m_followers.erase(one);
            }
            std::erase_if(m_left, [](pid_t left) { return ::waitpid(left, nullptr, WNOHANG) != 0; });
            m_stream.wait(kLongestWait, std::move(others));
        }
        for (auto& [number, follower] : m_followers)
            follower.closeAll(); // they end by themselves
    }

private:
    void take(const json& line) {
        const int number = line.value("channel", 0);
        if (const auto run = line.find("follow"); run != line.end() && run->is_string())
            start(number, run->get<std::string>());
        const auto found = m_followers.find(number);
        if (found == m_followers.end())
            return;
        if (line.contains("close")) {
            found->second.closeAll();
            m_left.push_back(found->second.process);
            m_followers.erase(found);
        } else if (const auto text = line.find("text"); text != line.end() && text->is_string()) {
            found->second.waiting += text->get<std::string>();
        }
    }

    void start(int number, const std::string& run) {
        int input[2], output[2], errors[2];
        if (::pipe2(input, O_CLOEXEC) != 0 || ::pipe2(output, O_CLOEXEC) != 0 ||
            ::pipe2(errors, O_CLOEXEC) != 0)
            throw Error("process.start",
                        "Too many runs are followed there: " + std::system_category().message(errno) + ".");
        Follower follower;
        follower.process = ::fork();
        if (follower.process < 0)
            throw Error("process.start",
                        "A run cannot be followed there: " + std::system_category().message(errno) + ".");
        if (follower.process == 0) {
            ::dup2(input[0], STDIN_FILENO);
            ::dup2(output[1], STDOUT_FILENO);
            ::dup2(errors[1], STDERR_FILENO);
            for (const int descriptor : {input[0], input[1], output[0], output[1], errors[0], errors[1]})
                ::close(descriptor);
            for (auto& [other, theirs] :
                 m_followers) // else none of them would notice that its reader is gone
                theirs.closeAll();
            int status = 0;
            try {
                m_follow(run);
            } catch (const std::exception& error) {
                std::cerr << error.what() << std::endl;
                status = 1;
            }
            ::_exit(status);
        }
        for (const int descriptor : {input[0], output[1], errors[1]})
            ::close(descriptor);
        follower.input = input[1];
        follower.output = output[0];
        follower.errors = errors[0];
        for (const int descriptor : {follower.input, follower.output, follower.errors})
            ::fcntl(descriptor, F_SETFL, ::fcntl(descriptor, F_GETFL) | O_NONBLOCK);
        m_followers[number] = std::move(follower);
    }

    /// Sends what a process wrote. Returns false if it has ended and everything is sent.
    bool passOn(int number, Follower& follower, std::vector<pollfd>& others) {
        std::array<char, 65536> buffer;
        for (int* descriptor : {&follower.output, &follower.errors}) {
            if (*descriptor < 0)
                continue;
            const ssize_t count = ::read(*descriptor, buffer.data(), buffer.size());
            if (count > 0) {
                json head{{"channel", number}};
                if (descriptor == &follower.errors)
                    head["errors"] = true;
                m_stream.send(std::move(head), {buffer.data(), static_cast<std::size_t>(count)});
            } else if (count == 0 || (errno != EAGAIN && errno != EINTR)) {
                closeOnce(*descriptor);
                continue;
            }
            others.push_back({*descriptor, POLLIN, 0});
        }
        if (follower.input >= 0 && !follower.waiting.empty())
            others.push_back({follower.input, POLLOUT, 0});
        if (follower.output >= 0 || follower.errors >= 0)
            return true;
        int status = 0;
        ::waitpid(follower.process, &status, 0);
        follower.closeAll();
        m_stream.send({{"channel", number},
                       {"ended", exitStatus(status)}});
        return false;
    }

    FollowerStream m_stream;
    std::function<void(const std::string&)> m_follow;
    std::map<int, Follower> m_followers;
    std::vector<pid_t> m_left; ///< processes that nobody listens to, until they have ended
};

} // namespace

void serveChannels(int input, int output, const std::function<void(const std::string& run)>& follow) {
    Channels(input, output, follow).serve();
}

} // namespace headroom::training
