// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>

namespace headroom {

/// Incremental SHA-256 (FIPS 180-4). Our own, because it only names files and a cryptography library would be
/// the largest part of the worker's bundle.
class Sha256 {
public:
    Sha256();
    void add(std::span<const std::byte> bytes);
    std::string hex(); ///< 64 lower-case digits; ends the computation

private:
    void compress(const std::byte* blocks, std::size_t count);

    std::array<std::uint32_t, 8> m_state;
    std::array<std::byte, 64> m_block;
    std::uint64_t m_length = 0;
};

std::string sha256OfBytes(std::span<const std::byte> bytes);
/// Throws Error "tensors.missing" if the file cannot be read. Reads 1 MiB at a time. `goOn` is asked after each, with the number of its
/// bytes. If it returns false, the text is empty.
std::string sha256OfFile(const std::filesystem::path& file, const std::function<bool(std::size_t bytes)>& goOn = {});

} // namespace headroom
