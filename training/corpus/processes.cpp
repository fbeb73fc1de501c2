// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/corpus/processes.h"

#include "core/errors/error.h"
#include "core/tensors/write_all.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace headroom::training {

namespace {

enum class Kind : std::int64_t { Done, Failed };

struct Header {
    Kind kind;
    std::int64_t index;
    std::int64_t size;
};

bool send(int file, Kind kind, std::int64_t index, const std::string& text) {
    const Header header{kind, index, static_cast<std::int64_t>(text.size())};
    return writeAll(file, {reinterpret_cast<const char*>(&header), sizeof header}) && writeAll(file, text);
}

/// What a child does, and nothing of what its parent would do at its end.
[[noreturn]] void child(int file, std::int64_t first, std::int64_t last, std::int64_t step, pid_t parent,
                        const std::function<std::string(std::int64_t)>& work) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent)
        ::_exit(1);
    std::int64_t index = first;
    try {
        for (; index < last; index += step)
            if (!send(file, Kind::Done, index, work(index)))
                ::_exit(1);
    } catch (const Error& error) {
        send(file, Kind::Failed, index, error.code() + '\n' + error.what());
        ::_exit(1);
    } catch (const std::exception& error) {
        send(file, Kind::Failed, index, std::string("processes.failed\n") + error.what());
        ::_exit(1);
    }
    ::_exit(0);
}

/// The children and their pipes; whatever happens, none is left.
class Children {
public:
    ~Children() {
        for (auto& one : m_all)
            end(one, SIGKILL);
    }
    void start(std::int64_t first, std::int64_t last, std::int64_t step,
               const std::function<std::string(std::int64_t)>& work) {
        std::array<int, 2> ends{};
        if (::pipe(ends.data()) != 0)
            throw Error("processes.lost",
                        std::string("No pipe could be opened: ") + std::strerror(errno) + ".");
        const auto parent = ::getpid();
        std::fflush(nullptr);
        const auto id = ::fork();
        if (id == 0) {
            ::close(ends[0]);
            child(ends[1], first, last, step, parent, work);
        }
        ::close(ends[1]);
        if (id < 0) {
            ::close(ends[0]);
            throw Error("processes.lost",
                        std::string("No process could be started: ") + std::strerror(errno) + ".");
        }
        m_all.push_back({id, ends[0], {}});
    }
    /// Until every pipe is closed.
    void listen(const std::function<void(std::int64_t, const std::string&)>& done) {
        while (std::any_of(m_all.begin(), m_all.end(), [](const One& one) { return one.file >= 0; })) {
            std::vector<pollfd> waiting;
            for (const auto& one : m_all)
                waiting.push_back({one.file, POLLIN, 0});
            if (::poll(waiting.data(), waiting.size(), -1) < 0 && errno != EINTR)
                throw Error("processes.lost",
                            std::string("The child processes could not be read: ") + std::strerror(errno) +
                                ".");
            for (std::size_t i = 0; i < m_all.size(); ++i)
                if (waiting[i].revents != 0)
                    read(m_all[i], done);
        }
    }

private:
    struct One {
        pid_t id; ///< 0: waited for
        int file; ///< −1: at its end
        std::string received;
    };

    void read(One& one, const std::function<void(std::int64_t, const std::string&)>& done) {
        std::array<char, 65536> block{};
        const auto count = ::read(one.file, block.data(), block.size());
        if (count < 0 && (errno == EINTR || errno == EAGAIN))
            return;
        if (count > 0)
            one.received.append(block.data(), static_cast<std::size_t>(count));
        Header header{};
        std::size_t used = 0;
        while (one.received.size() - used >= sizeof header) {
            std::memcpy(&header, one.received.data() + used, sizeof header);
            if (one.received.size() - used - sizeof header < static_cast<std::size_t>(header.size))
                break;
            const auto text =
                one.received.substr(used + sizeof header, static_cast<std::size_t>(header.size));
            used += sizeof header + text.size();
            if (header.kind == Kind::Failed)
                throw Error(text.substr(0, text.find('\n')), text.substr(text.find('\n') + 1));
            done(header.index, text);
        }
        one.received.erase(0, used);
        if (count > 0)
            return;
        if (const int status = end(one, 0); status != 0)
            throw Error("processes.lost",
                        "A child process ended unexpectedly, with status " +
                            std::to_string(status) + ".");
    }
    /// Closes the pipe and waits for the child. Its status, as waitpid says it.
    static int end(One& one, int signal) {
        if (one.file >= 0)
            ::close(std::exchange(one.file, -1));
        if (one.id == 0)
            return 0;
        if (signal != 0)
            ::kill(one.id, signal);
        int status = 0;
        while (::waitpid(one.id, &status, 0) < 0 && errno == EINTR) {
        }
        one.id = 0;
        return status;
    }

    std::vector<One> m_all;
};

} // namespace

int usableProcessors() {
    return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

void inProcesses(std::int64_t first, std::int64_t last, int processes,
                 const std::function<std::string(std::int64_t)>& work,
                 const std::function<void(std::int64_t, const std::string&)>& done) {
    Children children;
    const auto count = std::clamp<std::int64_t>(processes, 1, std::max<std::int64_t>(1, last - first));
    for (std::int64_t k = 0; k < count; ++k)
        children.start(first + k, last, count, work);
    children.listen(done);
}

} // namespace headroom::training
