// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parquet/thrift_compact.h"

#include "core/parquet/parquet_error.h"

namespace headroom {

namespace {

constexpr int kDeepest = 16;

} // namespace

std::uint8_t ThriftReader::byte() {
    if (m_at >= m_bytes.size())
        throw damagedParquet("a header ends early");
    return std::to_integer<std::uint8_t>(m_bytes[m_at++]);
}

std::uint64_t ThriftReader::varint() {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
        const auto next = byte();
        value |= static_cast<std::uint64_t>(next & 0x7f) << shift;
        if ((next & 0x80) == 0)
            return value;
    }
    throw damagedParquet("a header has a number that is too long");
}

ThriftReader::Type ThriftReader::typeOf(std::uint8_t nibble) const {
    if (nibble == 0 || nibble > static_cast<std::uint8_t>(Type::Struct))
        throw damagedParquet("a header has a field of an unknown type");
    return static_cast<Type>(nibble);
}

std::int64_t ThriftReader::integer() {
    const auto zigzag = varint();
    return static_cast<std::int64_t>(zigzag >> 1) ^ -static_cast<std::int64_t>(zigzag & 1);
}

std::string_view ThriftReader::binary() {
    const auto length = varint();
    if (length > m_bytes.size() - m_at)
        throw damagedParquet("a header has a text that is longer than the header");
    const auto* first = reinterpret_cast<const char*>(m_bytes.data()) + m_at;
    m_at += length;
    return {first, static_cast<std::size_t>(length)};
}

void ThriftReader::eachField(const std::function<bool(int, Type)>& read) {
    if (++m_depth > kDeepest)
        throw damagedParquet("a header is nested too deeply");
    int id = 0;
    while (const auto head = byte()) {
        const auto delta = head >> 4;
        const auto type = typeOf(head & 0x0f);
        id = delta != 0 ? id + delta : static_cast<int>(integer());
        if (!read(id, type))
            skip(type);
    }
    --m_depth;
}

void ThriftReader::eachElement(const std::function<void(Type)>& read) {
    const auto head = byte();
    std::uint64_t count = head >> 4;
    const auto type = typeOf(head & 0x0f);
    if (count == 15)
        count = varint();
    // An element takes at least one byte, so that a made-up count ends soon.
    if (count > m_bytes.size() - m_at)
        throw damagedParquet("a header has a list that is longer than the header");
    for (std::uint64_t i = 0; i < count; ++i)
        read(type);
}

void ThriftReader::skip(Type type) {
    switch (type) {
    case Type::Stop:
    case Type::True:
    case Type::False:
        return; // the value of a field is its type
    case Type::Byte:
        byte();
        return;
    case Type::I16:
    case Type::I32:
    case Type::I64:
        varint();
        return;
    case Type::Double:
        for (int i = 0; i < 8; ++i)
            byte();
        return;
    case Type::Binary:
        binary();
        return;
    case Type::Struct:
        return eachField([](int, Type) { return false; });
    case Type::List:
    case Type::Set:
        return eachElement([this](Type element) {
            if (element == Type::True || element == Type::False)
                byte(); // in a list a truth is a byte
            else
                skip(element);
        });
    case Type::Map:
        if (const auto count = varint(); count > 0) {
            const auto types = byte();
            const auto key = typeOf(types >> 4), value = typeOf(types & 0x0f);
            if (count > m_bytes.size() - m_at)
                throw damagedParquet("a header has a map that is longer than the header");
            for (std::uint64_t i = 0; i < count; ++i) {
                skip(key);
                skip(value);
            }
        }
        return;
    }
}

} // namespace headroom
