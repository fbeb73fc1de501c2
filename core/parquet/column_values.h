// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/parquet/parquet_file.h"
#include "core/parquet/thrift_compact.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

/// Returns whether ColumnValues reads this physical type of Parquet.
bool isKnownType(int type);
/// Returns the number in at most 8 bytes, the lowest first.
std::uint64_t littleEndian(std::span<const std::byte> bytes);

/// Numbers in Parquet's mix of runs and packed bits. Borrows the bytes; throws Error "parquet.damaged" behind
/// their end.
class RunsOfBits {
public:
    RunsOfBits() = default;
    RunsOfBits(std::span<const std::byte> bytes, int width) : m_bytes(bytes), m_width(width) {}
    std::uint32_t next();

private:
    std::span<const std::byte> m_bytes;
    int m_width = 0;
    std::size_t m_at = 0;
    std::uint64_t m_left = 0; ///< values of this run
    bool m_isPacked = false;
    std::uint32_t m_value = 0;   ///< of a run of equal values
    std::size_t m_bit = 0;       ///< of packed values: the next one, from m_at
    std::size_t m_packedEnd = 0; ///< the byte behind them
};

/// The values of a column in one group of rows, one after the other. Holds one page at a time. One thread.
class ColumnValues {
public:
    /// `bytes`: those of the chunk; borrowed.
    ColumnValues(std::span<const std::byte> bytes, const ParquetFile::Chunk& chunk,
                 const ParquetFile::Form& form);
    /// The view is valid until the next call.
    std::optional<std::string_view> next();

private:
    struct PageHead {
        int type = -1;
        std::int64_t size = -1, packed = -1; ///< bytes
        std::int64_t values = -1;
        int encoding = -1;
        std::int64_t definedBytes = 0, repeatedBytes = 0; ///< of version 2
        bool isPacked = true;
    };
    PageHead readHead();
    void readPage();
    void readDictionary(const PageHead& head, std::span<const std::byte> body);
    void takeValues(std::span<const std::byte> body, int encoding);
    std::string_view plainValue();

    std::span<const std::byte> m_bytes;
    ParquetFile::Chunk m_chunk;
    ParquetFile::Form m_form;
    std::size_t m_at = 0;
    std::int64_t m_left = 0; ///< values of the page, with the missing ones
    std::vector<std::byte> m_page, m_dictionaryPage;
    std::vector<std::string_view> m_dictionary;
    std::vector<std::string> m_dictionaryTexts; ///< of numbers
    RunsOfBits m_defined, m_indices;
    bool m_hasIndices = false;
    std::span<const std::byte> m_plain; ///< values that are still to be read
    std::size_t m_bit = 0;              ///< of truths
    std::string m_text;                 ///< of a number
};

} // namespace headroom
