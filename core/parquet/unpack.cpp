// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parquet/unpack.h"

#include "core/parquet/parquet_error.h"

#include <lz4.h>
#include <snappy-c.h>
#include <zlib.h>
#include <zstd.h>

#include <iterator>
#include <string>

namespace headroom {

namespace {

enum Packing { None = 0, Snappy = 1, Gzip = 2, Lz4Hadoop = 5, Zstandard = 6, Lz4Raw = 7 };
constexpr const char* kPackings[] = {"none", "Snappy", "gzip", "LZO", "Brotli", "LZ4", "Zstandard", "LZ4"};
constexpr std::int64_t kFree = std::int64_t{64} << 20;
/// What a byte can become, 0 of what is not read: of Snappy a copy of 64 bytes takes three; of deflate 1,032; of LZ4 a byte adds 255 to the
/// length of a copy; of Zstandard any, in practice far less.
constexpr std::int64_t kMostOf[] = {1, 32, 1032, 0, 0, 255, 4096, 255};

bool inflated(std::span<const std::byte> packed, std::vector<std::byte>& room) {
    z_stream stream{};
    if (inflateInit2(&stream, 15 + 32) != Z_OK) // 32: gzip or zlib, whichever it is
        return false;
    stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(packed.data()));
    stream.avail_in = static_cast<uInt>(packed.size());
    stream.next_out = reinterpret_cast<Bytef*>(room.data());
    stream.avail_out = static_cast<uInt>(room.size());
    const int result = inflate(&stream, Z_FINISH);
    const bool isWhole = result == Z_STREAM_END && stream.avail_out == 0;
    inflateEnd(&stream);
    return isWhole;
}

/// One block of LZ4. Returns the bytes that it fills; −1 if it is damaged or needs more room.
std::int64_t lz4Block(std::span<const std::byte> packed, std::span<std::byte> room) {
    return LZ4_decompress_safe(reinterpret_cast<const char*>(packed.data()), reinterpret_cast<char*>(room.data()),
                               static_cast<int>(packed.size()), static_cast<int>(room.size()));
}

std::size_t bigEndian(std::span<const std::byte> bytes, std::size_t at) {
    std::size_t number = 0;
    for (std::size_t i = 0; i < 4; ++i)
        number = number << 8 | std::to_integer<std::size_t>(bytes[at + i]);
    return number;
}

/// Hadoop's frames, one after the other: the size of what was packed, then blocks until that is reached, each behind its packed size; both
/// sizes with the highest byte first.
bool hadoopFrames(std::span<const std::byte> packed, std::span<std::byte> room) {
    constexpr std::size_t kSize = 4;
    std::size_t at = 0, filled = 0;
    while (at < packed.size()) {
        if (packed.size() - at < kSize)
            return false;
        const std::size_t size = bigEndian(packed, at);
        at += kSize;
        if (size > room.size() - filled)
            return false;
        for (std::size_t done = 0; done < size;) {
            if (packed.size() - at < kSize)
                return false;
            const std::size_t count = bigEndian(packed, at);
            at += kSize;
            if (count == 0 || count > packed.size() - at)
                return false;
            const std::int64_t found = lz4Block(packed.subspan(at, count), room.subspan(filled, size - done));
            if (found <= 0)
                return false;
            at += count;
            done += static_cast<std::size_t>(found);
            filled += static_cast<std::size_t>(found);
        }
    }
    return filled == room.size();
}

bool isWholeBlock(std::span<const std::byte> packed, std::span<std::byte> room) {
    return lz4Block(packed, room) == static_cast<std::int64_t>(room.size());
}

bool unpackInto(int packing, std::span<const std::byte> packed, std::vector<std::byte>& room) {
    if (packing == Gzip)
        return inflated(packed, room);
    if (packing == Zstandard)
        return ZSTD_decompress(room.data(), room.size(), packed.data(), packed.size()) == room.size();
    if (packing == Lz4Raw)
        return isWholeBlock(packed, room);
    if (packing == Lz4Hadoop) // Arrow's library wrote a block alone under this number
        return hadoopFrames(packed, room) || isWholeBlock(packed, room);
    const auto* source = reinterpret_cast<const char*>(packed.data());
    std::size_t length = 0;
    return snappy_uncompressed_length(source, packed.size(), &length) == SNAPPY_OK && length == room.size() &&
           snappy_uncompress(source, packed.size(), reinterpret_cast<char*>(room.data()), &length) ==
               SNAPPY_OK;
}

} // namespace

std::span<const std::byte> unpackedPage(std::span<const std::byte> packed, int packing, std::int64_t size,
                                        std::vector<std::byte>& room) {
    const auto count = static_cast<std::int64_t>(packed.size());
    if (packing == None) {
        if (size != count)
            throw damagedParquet("a page does not have the size that it states");
        return packed;
    }
    const bool isKnown = packing > 0 && packing < static_cast<int>(std::size(kMostOf));
    if (!isKnown || kMostOf[packing] == 0)
        throw unreadParquet(std::string("it is packed with ") + (isKnown ? kPackings[packing] : "an unknown method") +
                            ". Write it again with Snappy, gzip, LZ4 or Zstandard");
    if (size < 0 || size > INT32_MAX || count > INT32_MAX || (size > kFree && size / kMostOf[packing] > count))
        throw damagedParquet("a page claims more bytes than it can contain");
    room.resize(static_cast<std::size_t>(size));
    if (size > 0 && !unpackInto(packing, packed, room))
        throw damagedParquet("a page cannot be unpacked");
    return room;
}

} // namespace headroom
