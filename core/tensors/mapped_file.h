// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

namespace headroom {

/// A regular file mapped read-only. Immutable; safe on every thread. If the file is truncated while mapped,
/// reading beyond its end kills the process (SIGBUS).
class MappedFile {
public:
    /// Throws Error(code, …) if the file is missing, not a regular file, or unreadable. An empty file maps to
    /// an empty span.
    MappedFile(const std::filesystem::path& file, const std::string& code);
    ~MappedFile();
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    std::span<const std::byte> bytes() const { return m_bytes; }

    /// Gives the memory of the pages that lie wholly in `bytes` back; they are read from the file again when
    /// they are needed. Bytes outside every MappedFile are left alone. Thread-safe.
    static void forget(std::span<const std::byte> bytes);

private:
    std::span<const std::byte> m_bytes;
};

} // namespace headroom
