// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

namespace headroom {

/// Thrift's compact protocol, in which Parquet writes its directory and the headers of its pages. Reads from
/// bytes that it borrows. Every function throws Error "parquet.damaged" where the bytes end or contradict
/// themselves. One thread.
class ThriftReader {
public:
    enum class Type : std::uint8_t {
        Stop,
        True,
        False,
        Byte,
        I16,
        I32,
        I64,
        Double,
        Binary,
        List,
        Set,
        Map,
        Struct
    };

    explicit ThriftReader(std::span<const std::byte> bytes) : m_bytes(bytes) {}

    /// Calls `read` for every field of a struct. It reads the value and returns true, or returns false
    /// without reading.
    void eachField(const std::function<bool(int id, Type type)>& read);
    /// Calls `read` for every element of a list.
    void eachElement(const std::function<void(Type type)>& read);
    std::int64_t integer();    ///< I16, I32, I64
    std::string_view binary(); ///< into the bytes
    void skip(Type type);
    std::size_t position() const { return m_at; }

private:
    std::uint8_t byte();
    std::uint64_t varint();
    Type typeOf(std::uint8_t nibble) const;

    std::span<const std::byte> m_bytes;
    std::size_t m_at = 0;
    int m_depth = 0;
};

} // namespace headroom
