// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/places/follower_stream.h"

#include "core/runs/strict_json.h"
#include "core/tensors/write_all.h"
#include "training/places/advice.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <sys/statvfs.h>
#include <unistd.h>

namespace headroom::training {

namespace {
constexpr std::chrono::seconds kSignOfLife{2};
constexpr std::uint64_t kNoSpace = 1u << 20; // bytes: no checkpoint is so small
} // namespace

FollowerStream::FollowerStream(int input, int output) : m_input(input), m_output(output) {
    ::signal(SIGPIPE, SIG_IGN);
}

bool FollowerStream::write(std::string_view bytes) {
    m_gone = m_gone || !writeAll(m_output, bytes);
    return !m_gone;
}

bool FollowerStream::begin() {
    return write(kStreamStart);
}

bool FollowerStream::send(nlohmann::json head, std::string_view bytes) {
    write(frameText(std::move(head), bytes));
    m_alive = std::chrono::steady_clock::now();
    return !m_gone;
}

bool FollowerStream::readLines(const std::function<void(const nlohmann::json&)>& take) {
    pollfd waiting{m_input, POLLIN, 0};
    while (::poll(&waiting, 1, 0) > 0) {
        std::array<char, 65536> buffer;
        const ssize_t count = ::read(m_input, buffer.data(), buffer.size());
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return false;
        m_lines.append(buffer.data(), static_cast<std::size_t>(count));
    }
    for (std::size_t end; (end = m_lines.find('\n')) != std::string::npos;) {
        const std::string line = m_lines.substr(0, end);
        m_lines.erase(0, end + 1);
        take(parseStrictObject(line, "The request", "stream.bad"));
    }
    return true;
}

void FollowerStream::live() {
    if (std::chrono::steady_clock::now() - m_alive > kSignOfLife)
        send({{"alive", static_cast<std::int64_t>(std::time(nullptr))}});
}

void FollowerStream::wait(std::chrono::milliseconds most, std::vector<pollfd> others) {
    live();
    others.push_back({m_input, POLLIN, 0});
    ::poll(others.data(), others.size(), static_cast<int>(most.count()));
}

std::string whyUnwritten(const std::filesystem::path& folder, const std::string& said, const std::string& place) {
    std::string why = adviceOnEnd(said, place);
    struct statvfs about {};
    // Then what was said could not be written either.
    if (why.empty() && ::statvfs(folder.c_str(), &about) == 0 && about.f_blocks > 0 && about.f_bavail * about.f_frsize < kNoSpace)
        why = adviceOnEnd(std::strerror(ENOSPC), place);
    return why;
}

std::string bytesOf(const std::filesystem::path& file, std::uint64_t from, std::size_t most) {
    std::string bytes;
    const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return bytes;
    bytes.resize(most);
    std::size_t done = 0;
    while (done < most) {
        const ssize_t count =
            ::pread(descriptor, bytes.data() + done, most - done, static_cast<off_t>(from + done));
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            break;
        done += static_cast<std::size_t>(count);
    }
    ::close(descriptor);
    bytes.resize(done);
    return bytes;
}

} // namespace headroom::training
