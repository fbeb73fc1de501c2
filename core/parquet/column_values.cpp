// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parquet/column_values.h"

#include "core/parquet/parquet_error.h"
#include "core/parquet/unpack.h"

#include <bit>
#include <charconv>
#include <cstring>

namespace headroom {

namespace {

using Type = ThriftReader::Type;

enum PhysicalType { Boolean = 0, Int32 = 1, Int64 = 2, Float = 4, Double = 5, ByteArray = 6 };
enum PageType { DataPage = 0, DictionaryPage = 2, DataPageV2 = 3 };
enum Encoding { Plain = 0, PlainDictionary = 2, Runs = 3, RunsDictionary = 8 };
constexpr const char* kEncodings[] = {"PLAIN",
                                      "",
                                      "PLAIN_DICTIONARY",
                                      "RLE",
                                      "BIT_PACKED",
                                      "DELTA_BINARY_PACKED",
                                      "DELTA_LENGTH_BYTE_ARRAY",
                                      "DELTA_BYTE_ARRAY",
                                      "RLE_DICTIONARY",
                                      "BYTE_STREAM_SPLIT"};
constexpr std::size_t kLengthBytes = 4;

std::size_t sizeOf(int type) {
    return type == Int32 || type == Float ? 4 : 8;
}

/// Takes the first `count` bytes of `rest`.
std::span<const std::byte> take(std::span<const std::byte>& rest, std::uint64_t count) {
    if (count > rest.size())
        throw damagedParquet("a page ends within a value");
    const auto taken = rest.first(static_cast<std::size_t>(count));
    rest = rest.subspan(static_cast<std::size_t>(count));
    return taken;
}

template <typename Number>
std::string numberText(Number number) {
    char text[32];
    return {text, std::to_chars(text, text + sizeof text, number).ptr};
}

std::string textOfNumber(int type, std::span<const std::byte> bytes) {
    const auto bits = littleEndian(bytes);
    switch (type) {
    case Int32:
        return numberText(static_cast<std::int32_t>(bits));
    case Int64:
        return numberText(static_cast<std::int64_t>(bits));
    case Float:
        return numberText(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    default:
        return numberText(std::bit_cast<double>(bits));
    }
}

std::string_view asText(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

} // namespace

bool isKnownType(int type) {
    return type == Boolean || type == Int32 || type == Int64 || type == Float || type == Double ||
           type == ByteArray;
}

std::uint64_t littleEndian(std::span<const std::byte> bytes) {
    std::uint64_t number = 0;
    for (std::size_t i = 0; i < bytes.size() && i < 8; ++i)
        number |= std::to_integer<std::uint64_t>(bytes[i]) << (8 * i);
    return number;
}

std::uint32_t RunsOfBits::next() {
    if (m_width == 0)
        return 0; // one possible value takes no bytes
    if (m_left == 0) {
        if (m_isPacked)
            m_at = m_packedEnd;
        std::uint64_t head = 0;
        for (int shift = 0;; shift += 7) {
            if (m_at >= m_bytes.size() || shift > 28)
                throw damagedParquet("a page has fewer values than it states");
            const auto byte = std::to_integer<std::uint64_t>(m_bytes[m_at++]);
            head |= (byte & 0x7f) << shift;
            if ((byte & 0x80) == 0)
                break;
        }
        m_isPacked = (head & 1) != 0;
        const auto width = static_cast<std::uint64_t>(m_width);
        const auto bytes = m_isPacked ? (head >> 1) * width : (width + 7) / 8;
        // The last group of eight may be cut off where the page ends.
        if (m_at >= m_bytes.size() || (!m_isPacked && bytes > m_bytes.size() - m_at) || head >> 1 == 0)
            throw damagedParquet("a page has fewer values than it states");
        m_left = m_isPacked ? (head >> 1) * 8 : head >> 1;
        m_bit = 0;
        m_packedEnd = m_at + static_cast<std::size_t>(std::min<std::uint64_t>(bytes, m_bytes.size() - m_at));
        if (!m_isPacked) {
            m_value = static_cast<std::uint32_t>(
                littleEndian(m_bytes.subspan(m_at, static_cast<std::size_t>(bytes))));
            m_at += static_cast<std::size_t>(bytes);
        }
    }
    --m_left;
    if (!m_isPacked)
        return m_value;
    std::uint32_t value = 0;
    for (int i = 0; i < m_width; ++i, ++m_bit) {
        const auto at = m_at + m_bit / 8;
        if (at >= m_packedEnd)
            throw damagedParquet("a page has fewer values than it states");
        value |= (std::to_integer<std::uint32_t>(m_bytes[at]) >> (m_bit % 8) & 1) << i;
    }
    return value;
}

ColumnValues::ColumnValues(std::span<const std::byte> bytes, const ParquetFile::Chunk& chunk,
                           const ParquetFile::Form& form)
    : m_bytes(bytes)
    , m_chunk(chunk)
    , m_form(form) {}

std::optional<std::string_view> ColumnValues::next() {
    while (m_left == 0)
        readPage();
    --m_left;
    if (m_form.mostDefined > 0) {
        const auto defined = m_defined.next();
        if (defined > static_cast<std::uint32_t>(m_form.mostDefined))
            throw damagedParquet("a page has a level that its schema does not have");
        if (defined < static_cast<std::uint32_t>(m_form.mostDefined))
            return std::nullopt;
    }
    if (!m_hasIndices)
        return plainValue();
    const auto index = m_indices.next();
    if (index >= m_dictionary.size())
        throw damagedParquet("a page names a value that its dictionary does not have");
    return m_dictionary[index];
}

std::string_view ColumnValues::plainValue() {
    if (m_form.type == ByteArray)
        return asText(take(m_plain, littleEndian(take(m_plain, kLengthBytes))));
    if (m_form.type == Boolean) {
        if (m_bit / 8 >= m_plain.size())
            throw damagedParquet("a page ends within a value");
        const bool truth = (std::to_integer<int>(m_plain[m_bit / 8]) >> (m_bit % 8) & 1) != 0;
        ++m_bit;
        return truth ? "true" : "false";
    }
    m_text = textOfNumber(m_form.type, take(m_plain, sizeOf(m_form.type)));
    return m_text;
}

ColumnValues::PageHead ColumnValues::readHead() {
    ThriftReader reader(m_bytes.subspan(m_at));
    PageHead head;
    // The three kinds of page number their fields alike, as far as they are needed.
    const auto readKind = [&](bool isSecond) {
        reader.eachField([&](int id, Type type) {
            if (isSecond && id == 7 && (type == Type::True || type == Type::False)) {
                head.isPacked = type == Type::True;
                return true;
            }
            std::int64_t* const wanted = id == 1               ? &head.values
                                         : isSecond && id == 5 ? &head.definedBytes
                                         : isSecond && id == 6 ? &head.repeatedBytes
                                                               : nullptr;
            if (id == (isSecond ? 4 : 2))
                head.encoding = static_cast<int>(reader.integer());
            else if (wanted != nullptr)
                *wanted = reader.integer();
            else
                return false;
            return true;
        });
    };
    reader.eachField([&](int id, Type type) {
        if (id == 1 && type == Type::I32)
            head.type = static_cast<int>(reader.integer());
        else if (id == 2 && type == Type::I32)
            head.size = reader.integer();
        else if (id == 3 && type == Type::I32)
            head.packed = reader.integer();
        else if ((id == 5 || id == 7 || id == 8) && type == Type::Struct)
            readKind(id == 8);
        else
            return false;
        return true;
    });
    m_at += reader.position();
    return head;
}

void ColumnValues::readPage() {
    if (m_at >= m_bytes.size())
        throw damagedParquet("a column has fewer values than the file has rows");
    const auto head = readHead();
    if (head.packed < 0 || head.size < 0 || static_cast<std::uint64_t>(head.packed) > m_bytes.size() - m_at)
        throw damagedParquet("a page is longer than its column");
    auto body = m_bytes.subspan(m_at, static_cast<std::size_t>(head.packed));
    m_at += body.size();
    if (head.type == DictionaryPage)
        return readDictionary(head, body);
    if (head.type != DataPage && head.type != DataPageV2)
        return; // an index
    if (head.values < 0)
        throw damagedParquet("a page does not say how many values it has");
    const int width = static_cast<int>(std::bit_width(static_cast<unsigned>(m_form.mostDefined)));
    if (head.type == DataPageV2) {
        if (head.definedBytes < 0 || head.repeatedBytes != 0 || head.definedBytes > head.size)
            throw damagedParquet("a page has levels that do not fit its schema");
        m_defined = {take(body, static_cast<std::uint64_t>(head.definedBytes)), width};
        const auto size = head.size - head.definedBytes;
        body = head.isPacked ? unpackedPage(body, m_chunk.packing, size, m_page) : body;
    } else {
        body = unpackedPage(body, m_chunk.packing, head.size, m_page);
        if (m_form.mostDefined > 0)
            m_defined = {take(body, littleEndian(take(body, kLengthBytes))), width};
    }
    m_left = head.values;
    takeValues(body, head.encoding);
}

void ColumnValues::takeValues(std::span<const std::byte> body, int encoding) {
    m_hasIndices = encoding == PlainDictionary || encoding == RunsDictionary;
    if (encoding == Runs && m_form.type == Boolean) {
        m_hasIndices = true;
        m_dictionary = {"false", "true"};
        m_indices = {take(body, littleEndian(take(body, kLengthBytes))), 1};
    } else if (m_hasIndices) {
        // A page of missing values alone has no width.
        const int width = body.empty() ? 0 : std::to_integer<int>(body.front());
        if (width > 32)
            throw damagedParquet("a page has indices of more than 32 bits");
        m_indices = {body.empty() ? body : body.subspan(1), width};
    } else if (encoding == Plain) {
        m_plain = body;
        m_bit = 0;
    } else {
        throw unreadParquet(std::string("it has values in the encoding ") +
                            (encoding > 0 && encoding < 10 ? kEncodings[encoding] : "of another version") +
                            ". Write it again with plain values or dictionaries, as pyarrow does by default");
    }
}

void ColumnValues::readDictionary(const PageHead& head, std::span<const std::byte> body) {
    if (head.encoding != Plain && head.encoding != PlainDictionary)
        throw unreadParquet("it has a dictionary in another form than plain values");
    const auto bytes = unpackedPage(body, m_chunk.packing, head.size, m_dictionaryPage);
    // A value takes four bytes at least.
    if (head.values < 0 || m_form.type == Boolean ||
        static_cast<std::uint64_t>(head.values) > bytes.size() / 4)
        throw damagedParquet("a dictionary has more values than bytes");
    m_plain = bytes;
    m_dictionary.clear();
    m_dictionaryTexts.clear();
    m_dictionaryTexts.reserve(static_cast<std::size_t>(head.values)); // views point into it
    for (std::int64_t i = 0; i < head.values; ++i) {
        const auto value = plainValue();
        if (m_form.type == ByteArray)
            m_dictionary.push_back(value);
        else
            m_dictionary.push_back(m_dictionaryTexts.emplace_back(value));
    }
}

} // namespace headroom
