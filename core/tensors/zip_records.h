// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace headroom {

/// One member of a ZIP archive as its directory tells it. Sizes are claims until they are checked.
struct ZipMember {
    std::string name;
    std::uint16_t method = 0; ///< 0 stored, 8 deflated
    std::uint32_t crc = 0;
    std::uint64_t compressedSize = 0, size = 0;
    std::uint64_t offset = 0; ///< of the local header
};

/// The records of a stored archive, zip64 where a number needs more than 32 bits (sizes, offsets) or 16
/// (count).
std::string zipLocalHeader(const ZipMember& member);
std::string zipDirectory(const std::vector<ZipMember>& members, std::uint64_t offset);

/// Reads the directory at the end of an archive. `name` stands in the sentences. Throws Error "npz.truncated"
/// (no directory), "npz.badHeader" (one that contradicts itself or the file), "npz.encrypted".
std::vector<ZipMember> readZipDirectory(std::span<const std::byte> archive, const std::string& name);

/// The bytes of one member, inflated, length and checksum verified. Throws Error "npz.badHeader",
/// "npz.badMethod", "npz.badData"; allocates no more than deflate can expand what is there (1,032 times).
std::vector<std::byte> readZipMember(std::span<const std::byte> archive, const ZipMember& member,
                                     const std::string& name);

} // namespace headroom
