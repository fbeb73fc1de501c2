// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

namespace headroom {

/// A regular file mapped read-only. Immutable; safe from every thread. Reading a page that somebody has cut
/// off the file in the meantime kills the process (SIGBUS): that is the one thing not survived.
class MappedFile {
public:
    /// Throws Error(code, …) when the file is not there, not a file, or may not be read. An empty file maps
    /// to nothing.
    MappedFile(const std::filesystem::path& file, const std::string& code);
    ~MappedFile();
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    std::span<const std::byte> bytes() const { return m_bytes; }

private:
    std::span<const std::byte> m_bytes;
};

} // namespace headroom
