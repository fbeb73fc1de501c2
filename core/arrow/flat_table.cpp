// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/arrow/flat_table.h"

#include "core/arrow/arrow_error.h"

namespace headroom {

namespace {

constexpr std::size_t kMostTables = 10'000, kOffsetBytes = 4, kPlaceBytes = 2;

std::span<const std::byte> flatPart(std::span<const std::byte> buffer, std::size_t at, std::size_t bytes) {
    if (at > buffer.size() || bytes > buffer.size() - at)
        throw damagedArrow("a message leads outside itself");
    return buffer.subspan(at, bytes);
}

std::size_t flatNumber(std::span<const std::byte> buffer, std::size_t at, std::size_t bytes) {
    std::size_t number = 0;
    const auto part = flatPart(buffer, at, bytes);
    for (std::size_t i = 0; i < bytes; ++i)
        number |= std::to_integer<std::size_t>(part[i]) << (8 * i);
    return number;
}

} // namespace

std::int64_t signedLittleEndian(std::span<const std::byte> bytes) {
    std::uint64_t number = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i)
        number |= std::to_integer<std::uint64_t>(bytes[i]) << (8 * i);
    const auto unused = 64 - 8 * bytes.size();
    return static_cast<std::int64_t>(number << unused) >> unused;
}

FlatTable FlatTable::root(std::span<const std::byte> buffer) {
    return {buffer, flatNumber(buffer, 0, kOffsetBytes)};
}

FlatTable::FlatTable(std::span<const std::byte> buffer, std::size_t at) : m_buffer(buffer), m_at(at) {
    // The list of fields lies before the table, or behind it if the number is negative.
    const auto back = signedLittleEndian(flatPart(buffer, at, kOffsetBytes));
    const auto fields = static_cast<std::int64_t>(at) - back;
    if (fields < 0)
        throw damagedArrow("a message leads outside itself");
    m_fields = static_cast<std::size_t>(fields);
    const auto size = flatNumber(buffer, m_fields, kPlaceBytes);
    flatPart(buffer, m_fields, size);
    m_fieldsEnd = m_fields + size;
}

std::optional<std::size_t> FlatTable::place(int field) const {
    const auto entry = m_fields + kPlaceBytes * (2 + static_cast<std::size_t>(field)); // behind two sizes
    if (entry + kPlaceBytes > m_fieldsEnd)
        return std::nullopt;
    const auto inside = flatNumber(m_buffer, entry, kPlaceBytes);
    return inside == 0 ? std::nullopt : std::optional(m_at + inside);
}

std::size_t FlatTable::follow(std::size_t at) const {
    return at + flatNumber(m_buffer, at, kOffsetBytes);
}

std::int64_t FlatTable::integer(int field, std::size_t bytes, std::int64_t otherwise) const {
    const auto at = place(field);
    return at ? signedLittleEndian(flatPart(m_buffer, *at, bytes)) : otherwise;
}

std::string_view FlatTable::text(int field) const {
    return textOfBytes(elements(field, 1));
}

std::optional<FlatTable> FlatTable::table(int field) const {
    const auto at = place(field);
    return at ? std::optional(FlatTable(m_buffer, follow(*at))) : std::nullopt;
}

std::vector<FlatTable> FlatTable::tables(int field) const {
    std::vector<FlatTable> found;
    const auto offsets = elements(field, kOffsetBytes);
    if (offsets.size() / kOffsetBytes > kMostTables)
        throw damagedArrow("a message has more than 10,000 entries in a list");
    const auto first = static_cast<std::size_t>(offsets.data() - m_buffer.data());
    for (std::size_t i = 0; i < offsets.size(); i += kOffsetBytes)
        found.push_back(FlatTable(m_buffer, follow(first + i)));
    return found;
}

std::span<const std::byte> FlatTable::elements(int field, std::size_t bytes) const {
    const auto at = place(field);
    if (!at)
        return {};
    const auto vector = follow(*at);
    const auto count = flatNumber(m_buffer, vector, kOffsetBytes);
    return flatPart(m_buffer, vector + kOffsetBytes, count * bytes);
}

} // namespace headroom
