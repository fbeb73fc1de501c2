// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/file_lock.h"

#include "core/errors/error.h"

#include <cerrno>
#include <fcntl.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace headroom {

namespace {

struct flock wholeFile(short kind) {
    struct flock lock {};
    lock.l_type = kind;
    lock.l_whence = SEEK_SET;
    return lock;
}

} // namespace

std::optional<FileLock> FileLock::tryTake(const std::filesystem::path& file, const std::string& code) {
    const auto refuse = [&] {
        throw Error(code,
                    file.string() + " could not be locked: " + std::system_category().message(errno) + ".",
                    {{"file", file.string()}});
    };
    // Closed on exec: a program that the holder starts does not inherit the lock.
    const int descriptor = ::open(file.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666);
    if (descriptor < 0)
        refuse();
    FileLock held(descriptor);
    struct flock lock = wholeFile(F_WRLCK);
    if (::fcntl(descriptor, F_OFD_SETLK, &lock) == 0)
        return held;
    if (errno != EAGAIN && errno != EACCES)
        refuse();
    return std::nullopt;
}

bool FileLock::isLocked(const std::filesystem::path& file) {
    const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return false;
    struct flock lock = wholeFile(F_WRLCK);
    const bool asked = ::fcntl(descriptor, F_OFD_GETLK, &lock) == 0;
    ::close(descriptor);
    return asked && lock.l_type != F_UNLCK;
}

bool FileLock::isAbandoned(const std::filesystem::path& file, const std::function<bool()>& saysAtWork) {
    constexpr int kLooks = 2;
    for (int look = 0; look < kLooks; ++look)
        if (!saysAtWork() || isLocked(file))
            return false;
    return true;
}

FileLock::~FileLock() {
    if (m_descriptor >= 0)
        ::close(m_descriptor);
}

FileLock& FileLock::operator=(FileLock&& other) noexcept {
    std::swap(m_descriptor, other.m_descriptor);
    return *this;
}

} // namespace headroom
