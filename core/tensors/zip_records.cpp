// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensors/zip_records.h"

#include "core/errors/display_name.h"
#include "core/errors/error.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <type_traits>
#include <zlib.h>

namespace headroom {

namespace {

constexpr std::uint32_t kLocal = 0x04034b50, kCentral = 0x02014b50, kEnd = 0x06054b50;
constexpr std::uint32_t kEnd64 = 0x06064b50, kLocator64 = 0x07064b50;
constexpr std::uint32_t kAll32 = 0xffffffffu;
constexpr std::uint16_t kAll16 = 0xffffu;
constexpr std::uint64_t kMostExpansion = 1032; // zlib's own bound on deflate

template <class... Numbers>
void put(std::string& out, Numbers... numbers) {
    (out.append(reinterpret_cast<const char*>(&numbers), sizeof numbers), ...);
}

std::uint16_t u16(std::uint64_t value) {
    return static_cast<std::uint16_t>(std::min<std::uint64_t>(value, kAll16));
}

std::uint32_t u32(std::uint64_t value) {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(value, kAll32));
}

std::uint16_t flagsOf(const std::string& name) {
    const bool ascii = std::all_of(name.begin(), name.end(), [](unsigned char c) { return c < 128; });
    return ascii ? 0 : 0x800; // names are UTF-8
}

constexpr std::uint16_t kNoTime = 0, kFirstDay = 0x21; // 1 January 1980: equal arrays make equal files

[[noreturn]] void refuse(const std::string& code, const ZipWords& words, const std::string& reason) {
    throw Error(words.code + "." + code, words.name + " is not " + words.format + ": " + reason + ".",
                {{"file", words.name}, {"reason", reason}});
}

std::string quoted(const ZipMember& member) {
    return "its member “" + validText(member.name) + "”";
}

/// Reads numbers one after the other; past the end is the caller's mistake in counting, and refused.
class Cursor {
public:
    Cursor(std::span<const std::byte> bytes, std::uint64_t at, const ZipWords& words)
        : m_bytes(bytes)
        , m_words(words) {
        skip(at);
    }
    template <class T>
    T next() {
        T value;
        std::memcpy(&value, take(sizeof(T)).data(), sizeof(T));
        return value;
    }
    std::span<const std::byte> take(std::uint64_t count) {
        if (count > m_bytes.size())
            refuse("badHeader", m_words, "its directory points outside the file");
        const auto result = m_bytes.first(count);
        m_bytes = m_bytes.subspan(count);
        return result;
    }
    void skip(std::uint64_t count) { take(count); }
    bool empty() const { return m_bytes.empty(); }

private:
    std::span<const std::byte> m_bytes;
    const ZipWords& m_words;
};

struct Directory {
    std::uint64_t offset = 0, size = 0, count = 0;
};

Directory findDirectory(std::span<const std::byte> archive, const ZipWords& words) {
    constexpr std::size_t kEndSize = 22, kLongestComment = 65535, kLocatorSize = 20;
    if (archive.size() < kEndSize)
        refuse("truncated", words, "it has no directory at its end");
    const std::size_t last = archive.size() - kEndSize;
    const std::size_t first = last > kLongestComment ? last - kLongestComment : 0;
    std::size_t at = last + 1;
    while (at-- > first) {
        Cursor cursor(archive, at, words);
        if (cursor.next<std::uint32_t>() != kEnd)
            continue;
        cursor.skip(6);
        Directory found;
        found.count = cursor.next<std::uint16_t>();
        found.size = cursor.next<std::uint32_t>();
        found.offset = cursor.next<std::uint32_t>();
        if (cursor.next<std::uint16_t>() != archive.size() - at - kEndSize)
            continue; // the mark stood in a comment
        if (at >= kLocatorSize) {
            Cursor locator(archive, at - kLocatorSize, words);
            if (locator.next<std::uint32_t>() == kLocator64) {
                locator.skip(4);
                Cursor end(archive, locator.next<std::uint64_t>(), words);
                if (end.next<std::uint32_t>() != kEnd64)
                    refuse("badHeader", words, "its zip64 directory is not where it should be");
                end.skip(28);
                found.count = end.next<std::uint64_t>();
                found.size = end.next<std::uint64_t>();
                found.offset = end.next<std::uint64_t>();
            }
        }
        return found;
    }
    refuse("truncated", words, "it has no directory at its end");
}

/// Replaces the numbers that said “look in the zip64 field”.
void readZip64(std::span<const std::byte> extra, ZipMember& member, const ZipWords& words) {
    Cursor fields(extra, 0, words);
    while (!fields.empty()) {
        const auto id = fields.next<std::uint16_t>();
        const auto field = fields.take(fields.next<std::uint16_t>());
        if (id != 1)
            continue;
        Cursor values(field, 0, words);
        for (auto* value : {&member.size, &member.compressedSize, &member.offset})
            if (*value == kAll32)
                *value = values.next<std::uint64_t>();
    }
}

void verifyChecksum(std::span<const std::byte> data, const ZipMember& member, const ZipWords& words) {
    auto crc = crc32_z(0, nullptr, 0);
    crc = crc32_z(crc, reinterpret_cast<const Bytef*>(data.data()), data.size());
    if (static_cast<std::uint32_t>(crc) != member.crc)
        refuse("badData", words, quoted(member) + " does not match its checksum");
}

} // namespace

std::string zipLocalHeader(const ZipMember& member) {
    const bool large = member.size >= kAll32;
    std::string out;
    put(out, kLocal, std::uint16_t(large ? 45 : 20), flagsOf(member.name), member.method, kNoTime, kFirstDay,
        member.crc);
    put(out, large ? kAll32 : u32(member.compressedSize), large ? kAll32 : u32(member.size));
    put(out, u16(member.name.size()), std::uint16_t(large ? 20 : 0));
    out += member.name;
    if (large)
        put(out, std::uint16_t(1), std::uint16_t(16), member.size, member.compressedSize);
    return out;
}

std::string zipDirectory(const std::vector<ZipMember>& members, std::uint64_t offset) {
    std::string out;
    for (const auto& member : members) {
        std::string extra;
        for (const auto value : {member.size, member.compressedSize, member.offset})
            if (value >= kAll32)
                put(extra, value);
        if (!extra.empty()) {
            std::string head;
            put(head, std::uint16_t(1), u16(extra.size()));
            extra = head + extra;
        }
        const std::uint16_t version = extra.empty() ? 20 : 45;
        put(out, kCentral, version, version, flagsOf(member.name), member.method, kNoTime, kFirstDay,
            member.crc);
        put(out, u32(member.compressedSize), u32(member.size), u16(member.name.size()), u16(extra.size()));
        put(out, std::uint16_t(0), std::uint16_t(0), std::uint16_t(0), std::uint32_t(0), u32(member.offset));
        out += member.name + extra;
    }
    const std::uint64_t size = out.size(), count = members.size();
    if (count >= kAll16 || size >= kAll32 || offset >= kAll32) {
        put(out, kEnd64, std::uint64_t(44), std::uint16_t(45), std::uint16_t(45), std::uint32_t(0),
            std::uint32_t(0));
        put(out, count, count, size, offset);
        put(out, kLocator64, std::uint32_t(0), offset + size, std::uint32_t(1));
    }
    put(out, kEnd, std::uint16_t(0), std::uint16_t(0), u16(count), u16(count), u32(size), u32(offset),
        std::uint16_t(0));
    return out;
}

std::vector<ZipMember> readZipDirectory(std::span<const std::byte> archive, const ZipWords& words) {
    const auto directory = findDirectory(archive, words);
    Cursor start(archive, directory.offset, words);
    const auto bytes = start.take(directory.size);
    constexpr std::uint64_t kSmallestEntry = 46;
    if (directory.count > directory.size / kSmallestEntry)
        refuse("badHeader", words,
               "its directory declares " + std::to_string(directory.count) +
                   " members but is too short for them");
    std::vector<ZipMember> members;
    Cursor cursor(bytes, 0, words);
    for (std::uint64_t i = 0; i < directory.count; ++i) {
        if (cursor.next<std::uint32_t>() != kCentral)
            refuse("badHeader", words,
                   "entry " + std::to_string(i + 1) + " of its directory is not an entry");
        cursor.skip(4);
        const auto flags = cursor.next<std::uint16_t>();
        ZipMember member;
        member.method = cursor.next<std::uint16_t>();
        cursor.skip(4);
        member.crc = cursor.next<std::uint32_t>();
        member.compressedSize = cursor.next<std::uint32_t>();
        member.size = cursor.next<std::uint32_t>();
        const auto nameLength = cursor.next<std::uint16_t>();
        const auto extraLength = cursor.next<std::uint16_t>();
        const auto commentLength = cursor.next<std::uint16_t>();
        cursor.skip(8);
        member.offset = cursor.next<std::uint32_t>();
        const auto text = cursor.take(nameLength);
        member.name.assign(reinterpret_cast<const char*>(text.data()), text.size());
        readZip64(cursor.take(extraLength), member, words);
        cursor.skip(commentLength);
        if (flags & 1)
            refuse("encrypted", words, quoted(member) + " is encrypted");
        members.push_back(std::move(member));
    }
    return members;
}

std::span<const std::byte> packedZipMember(std::span<const std::byte> archive, const ZipMember& member,
                                           const ZipWords& words) {
    Cursor cursor(archive, member.offset, words);
    if (cursor.next<std::uint32_t>() != kLocal)
        refuse("badHeader", words, quoted(member) + " is not where the directory says");
    cursor.skip(22);
    const auto nameLength = cursor.next<std::uint16_t>();
    const auto extraLength = cursor.next<std::uint16_t>();
    cursor.skip(std::uint64_t(nameLength) + extraLength);
    const auto data = cursor.take(member.compressedSize);
    if (member.isStored() && member.size != data.size())
        refuse("badHeader", words, quoted(member) + " is stored with two sizes");
    return data;
}

std::span<const std::byte> storedZipMember(std::span<const std::byte> archive, const ZipMember& member,
                                           const ZipWords& words) {
    if (!member.isStored())
        throw std::invalid_argument("a packed member has no bytes to borrow");
    const auto data = packedZipMember(archive, member, words);
    verifyChecksum(data, member, words);
    return data;
}

std::vector<std::byte> readZipMember(std::span<const std::byte> archive, const ZipMember& member,
                                     const ZipWords& words) {
    const auto data = packedZipMember(archive, member, words);
    std::vector<std::byte> result;
    if (member.isStored()) {
        result.assign(data.begin(), data.end());
    } else if (member.method == ZipMember::kDeflated) {
        if (member.size / kMostExpansion > member.compressedSize)
            refuse("badHeader", words, quoted(member) + " declares more bytes than it can contain");
        result.resize(member.size);
        z_stream stream{};
        if (inflateInit2(&stream, -MAX_WBITS) != Z_OK)
            throw std::bad_alloc();
        std::uint64_t read = 0, written = 0;
        int status = Z_OK;
        std::byte nothing{};                       // zlib wants a place even for no bytes
        constexpr std::uint64_t kPiece = 1u << 30; // zlib counts in 32 bits
        while (status == Z_OK) {
            stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(data.data() + read));
            stream.avail_in = static_cast<uInt>(std::min<std::uint64_t>(data.size() - read, kPiece));
            stream.next_out = reinterpret_cast<Bytef*>(result.empty() ? &nothing : result.data() + written);
            stream.avail_out = static_cast<uInt>(std::min<std::uint64_t>(result.size() - written, kPiece));
            const auto inBefore = stream.avail_in, outBefore = stream.avail_out;
            status = inflate(&stream, Z_NO_FLUSH);
            read += inBefore - stream.avail_in;
            written += outBefore - stream.avail_out;
        }
        inflateEnd(&stream);
        if (status != Z_STREAM_END || written != result.size())
            refuse("badData", words, quoted(member) + " cannot be inflated to the size it claims");
    } else
        refuse("badMethod", words, quoted(member) + " uses an unsupported compression method");

    verifyChecksum(result, member, words);
    return result;
}

} // namespace headroom
