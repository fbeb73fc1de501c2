// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace headroom {

/// The round constants of FIPS 180-4, §4.2.2.
extern const std::array<std::uint32_t, 64> kSha256Constants;

/// The compression function over `count` blocks of 64 bytes, §6.2.2.
using Sha256Blocks = void (*)(std::uint32_t* state, const std::byte* blocks, std::size_t count);

void sha256BlocksPortable(std::uint32_t* state, const std::byte* blocks, std::size_t count);
/// The same with the SHA instructions of x86 processors, about five times as fast; null where there are none.
Sha256Blocks sha256BlocksOfProcessor();

} // namespace headroom
