// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace headroom {

/// Returns the number in at most 8 bytes, the lowest first, as a signed one.
std::int64_t signedLittleEndian(std::span<const std::byte> bytes);

inline std::string_view textOfBytes(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// A table of a FlatBuffer. Borrows the bytes. Every offset is checked when it is followed, so that no buffer
/// has to be verified first; all functions throw Error "arrow.damaged" where one leaves the buffer.
class FlatTable {
public:
    /// The table that a buffer begins with.
    static FlatTable root(std::span<const std::byte> buffer);

    // `field` is the number of a field in its schema, from 0. A field that was not written has its default.

    std::int64_t integer(int field, std::size_t bytes, std::int64_t otherwise = 0) const;
    bool truth(int field, bool otherwise = false) const { return integer(field, 1, otherwise) != 0; }
    std::string_view text(int field) const;
    std::optional<FlatTable> table(int field) const;
    /// At most 10,000; throws for more.
    std::vector<FlatTable> tables(int field) const;
    /// The bytes of a vector of numbers or structs of `bytes` each.
    std::span<const std::byte> elements(int field, std::size_t bytes) const;

private:
    FlatTable(std::span<const std::byte> buffer, std::size_t at);
    /// Where the field begins, or nullopt.
    std::optional<std::size_t> place(int field) const;
    std::size_t follow(std::size_t at) const;

    std::span<const std::byte> m_buffer;
    std::size_t m_at = 0, m_fields = 0, m_fieldsEnd = 0; ///< of the table; of its list of fields
};

} // namespace headroom
