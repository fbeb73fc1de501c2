// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace headroom {

/// Unpacks a page of Parquet to exactly `size` bytes and returns them; `room` holds them, unless they are not
/// packed. `packing`: Parquet's number of the compression. Throws Error “parquet.damaged”, “parquet.unread”
/// (LZO, Brotli). Takes no more memory than the packed bytes can fill, or 64 MB.
std::span<const std::byte> unpackedPage(std::span<const std::byte> packed, int packing, std::int64_t size,
                                        std::vector<std::byte>& room);

} // namespace headroom
