// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>

namespace headroom {

/// A file that one process at a time may hold. Given back when the object goes, and by the kernel when the
/// process dies, however it dies. Open-file-description locks: who only looks (isLocked) never gets in the
/// way of who wants it, and a lock is not lost when the process opens and closes the file elsewhere.
class FileLock {
public:
    /// Makes the file where it is missing and takes the lock; nothing where another process holds it. Throws
    /// Error(code) where the file cannot be made.
    static std::optional<FileLock> tryTake(const std::filesystem::path& file, const std::string& code);
    /// Whether some process holds it. A file that is not there, or cannot be read, is not locked.
    static bool isLocked(const std::filesystem::path& file);

    ~FileLock();
    FileLock(FileLock&& other) noexcept : m_descriptor(other.m_descriptor) { other.m_descriptor = -1; }
    FileLock& operator=(FileLock&& other) noexcept;

private:
    explicit FileLock(int descriptor) : m_descriptor(descriptor) {}
    int m_descriptor = -1;
};

} // namespace headroom
