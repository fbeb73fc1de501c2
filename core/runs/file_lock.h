// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <functional>
#include <optional>

namespace headroom {

/// A lock file that one process at a time may hold. Released by the destructor, and by the kernel when the
/// process ends in any way. Uses open-file-description locks: a process that only queries (isLocked) never
/// blocks one that takes the lock, and the lock is not lost when the process opens and closes the file
/// elsewhere.
class FileLock {
public:
    /// Creates the file if missing and takes the lock; `nullopt` if another process holds it. Throws
    /// Error(code) if the file cannot be created.
    static std::optional<FileLock> tryTake(const std::filesystem::path& file, const std::string& code);
    /// Returns whether a process holds the lock. A missing or unreadable file is not locked.
    static bool isLocked(const std::filesystem::path& file);
    /// Returns whether a document says that its writer is at work while no process holds the writer's lock. `saysAtWork` reads the
    /// document. It is called again if the lock is free: the writer may have ended since, and it writes how before it releases the lock.
    static bool isAbandoned(const std::filesystem::path& file, const std::function<bool()>& saysAtWork);

    ~FileLock();
    FileLock(FileLock&& other) noexcept : m_descriptor(other.m_descriptor) { other.m_descriptor = -1; }
    FileLock& operator=(FileLock&& other) noexcept;

private:
    explicit FileLock(int descriptor) : m_descriptor(descriptor) {}
    int m_descriptor = -1;
};

} // namespace headroom
