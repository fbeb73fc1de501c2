// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parquet/unpack.h"

#include "core/parquet/parquet_error.h"

#include <snappy-c.h>
#include <zlib.h>
#include <zstd.h>

#include <string>

namespace headroom {

namespace {

enum Packing { None = 0, Snappy = 1, Gzip = 2, Zstandard = 6 };
constexpr const char* kPackings[] = {"none", "Snappy", "gzip", "LZO", "Brotli", "LZ4", "Zstandard", "LZ4"};
constexpr std::int64_t kFree = std::int64_t{64} << 20;
/// What a byte can become: of Snappy a copy of 64 bytes takes three; of deflate 1,032; of Zstandard any, in
/// practice far less.
constexpr std::int64_t kMostOf[] = {1, 32, 1032, 0, 0, 0, 4096, 0};

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

bool unpackInto(int packing, std::span<const std::byte> packed, std::vector<std::byte>& room) {
    if (packing == Gzip)
        return inflated(packed, room);
    if (packing == Zstandard)
        return ZSTD_decompress(room.data(), room.size(), packed.data(), packed.size()) == room.size();
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
    if (packing != Snappy && packing != Gzip && packing != Zstandard)
        throw unreadParquet(std::string("it is packed with ") +
                            (packing > 0 && packing < 8 ? kPackings[packing] : "an unknown method") +
                            ". Write it again with Snappy, gzip or Zstandard");
    if (size < 0 || size > INT32_MAX || (size > kFree && size / kMostOf[packing] > count))
        throw damagedParquet("a page claims more bytes than it can contain");
    room.resize(static_cast<std::size_t>(size));
    if (size > 0 && !unpackInto(packing, packed, room))
        throw damagedParquet("a page cannot be unpacked");
    return room;
}

} // namespace headroom
