// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace headroom {

/// A file in a tar archive.
struct TarMember {
    std::string name;                 ///< as stored: "./model_config.yaml"
    std::span<const std::byte> bytes; ///< borrowed from the archive
};

/// Reads the directory of a tar archive (ustar, with the long names of GNU and POSIX): regular files, in their order;
/// folders are left out. Nothing is unpacked. `name` is used in messages. Throws Error "tar.compressed" for gzip,
/// "tar.badHeader" for other bytes, a wrong checksum, links or devices, and "tar.truncated".
std::vector<TarMember> readTar(std::span<const std::byte> archive, const std::string& name);

} // namespace headroom
