// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace headroom {

/// A file that appears under its name as a whole or not at all. Bytes go into a temporary file in the same
/// folder; commit() flushes and renames it. Without commit() the temporary file is removed. A symbolic link
/// is followed: its target is replaced. Not thread-safe; several files at once are fine. Every failure throws
/// Error(code, "FILE could not be written: …") with the caller's `code` ("tensors.unwritable").
class AtomicFile {
public:
    AtomicFile(std::filesystem::path file, std::string code);
    ~AtomicFile();
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;

    void write(std::span<const std::byte> bytes);
    void write(std::string_view text) { write(std::as_bytes(std::span(text.data(), text.size()))); }
    std::uint64_t position() const { return m_position; } ///< bytes written so far
    void commit();

private:
    [[noreturn]] void fail(int error) const;

    std::filesystem::path m_file, m_target, m_temporary;
    std::string m_code;
    int m_descriptor = -1;
    std::uint64_t m_position = 0;
};

/// Writes everything at once. Throws Error(code, …).
void writeAtomically(const std::filesystem::path& file, std::span<const std::byte> bytes,
                     const std::string& code);
void writeAtomically(const std::filesystem::path& file, std::string_view text, const std::string& code);

} // namespace headroom
