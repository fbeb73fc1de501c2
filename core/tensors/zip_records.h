// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace headroom {

/// One member of a ZIP archive according to its directory. Sizes are unverified claims.
struct ZipMember {
    static constexpr std::uint16_t kStored = 0, kDeflated = 8;

    std::string name;
    std::uint16_t method = kStored;
    std::uint32_t crc = 0;
    std::uint64_t compressedSize = 0, size = 0;
    std::uint64_t offset = 0; ///< of the local header

    bool isStored() const { return method == kStored; }
};

/// Name of the archive in messages, and prefix of the error codes.
struct ZipWords {
    std::string name;
    std::string format = "a usable .npz file";
    std::string code = "npz";
};

/// Returns the records of a stored archive; zip64 if a number needs more than 32 bits (sizes, offsets) or 16
/// (count).
std::string zipLocalHeader(const ZipMember& member);
std::string zipDirectory(const std::vector<ZipMember>& members, std::uint64_t offset);

/// Reads the directory at the end of an archive. Throws Error "npz.truncated" (no directory), "npz.badHeader"
/// (inconsistent), "npz.encrypted".
std::vector<ZipMember> readZipDirectory(std::span<const std::byte> archive, const ZipWords& words);

/// Returns the packed bytes of one member. Throws Error "npz.badHeader".
std::span<const std::byte> packedZipMember(std::span<const std::byte> archive, const ZipMember& member,
                                           const ZipWords& words);
/// Returns the bytes of a stored member in place, with length and checksum verified. Throws Error
/// "npz.badHeader", "npz.badData"; std::invalid_argument for a member that is not stored.
std::span<const std::byte> storedZipMember(std::span<const std::byte> archive, const ZipMember& member,
                                           const ZipWords& words);
/// Returns the inflated bytes of one member, with length and checksum verified. Throws Error "npz.badHeader",
/// "npz.badMethod", "npz.badData". Allocates no more than deflate can expand (1,032 times).
std::vector<std::byte> readZipMember(std::span<const std::byte> archive, const ZipMember& member,
                                     const ZipWords& words);

} // namespace headroom
