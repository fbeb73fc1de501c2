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

/// How sentences call an archive, and where the codes of its errors begin.
struct ZipWords {
    std::string name;
    std::string format = "a usable .npz file";
    std::string code = "npz";
};

/// The records of a stored archive, zip64 where a number needs more than 32 bits (sizes, offsets) or 16
/// (count).
std::string zipLocalHeader(const ZipMember& member);
std::string zipDirectory(const std::vector<ZipMember>& members, std::uint64_t offset);

/// Reads the directory at the end of an archive. Throws Error "npz.truncated" (no directory), "npz.badHeader"
/// (one that contradicts itself or the file), "npz.encrypted".
std::vector<ZipMember> readZipDirectory(std::span<const std::byte> archive, const ZipWords& words);

/// The bytes of one member as they are packed. Throws Error "npz.badHeader".
std::span<const std::byte> packedZipMember(std::span<const std::byte> archive, const ZipMember& member,
                                           const ZipWords& words);
/// The bytes of a stored member where they lie, length and checksum verified. Throws Error "npz.badHeader",
/// "npz.badData"; std::invalid_argument for a member that is not stored.
std::span<const std::byte> storedZipMember(std::span<const std::byte> archive, const ZipMember& member,
                                           const ZipWords& words);
/// The bytes of one member, inflated, length and checksum verified. Throws Error "npz.badHeader",
/// "npz.badMethod", "npz.badData"; allocates no more than deflate can expand what is there (1,032 times).
std::vector<std::byte> readZipMember(std::span<const std::byte> archive, const ZipMember& member,
                                     const ZipWords& words);

} // namespace headroom
