// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
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

    ~FileLock();
    FileLock(FileLock&& other) noexcept : m_descriptor(other.m_descriptor) { other.m_descriptor = -1; }
    FileLock& operator=(FileLock&& other) noexcept;

private:
    explicit FileLock(int descriptor) : m_descriptor(descriptor) {}
    int m_descriptor = -1;
};

} // namespace headroom
