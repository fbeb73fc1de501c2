// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tables/columns.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace headroom {

class Error;
class MappedFile;

/// A Parquet file, as the library of Hugging Face data sets writes its shards. Reads single values by column:
/// texts, bytes, numbers and truths, also inside structs (“audio.bytes”), but no lists. Pages of version 1
/// and 2, plain or with a dictionary, not packed or packed with Snappy, gzip, LZ4 or Zstandard.
///
/// Immutable; safe on every thread. Sizes in the file are checked before memory is taken.
class ParquetFile {
public:
    /// Reads the directory. Throws Error “parquet.missing”, “parquet.damaged” (not Parquet, cut short,
    /// contradictory) or “parquet.unread” (encrypted).
    explicit ParquetFile(const std::filesystem::path& file);
    /// The same of bytes, which it borrows; `name` stands in messages.
    ParquetFile(std::span<const std::byte> bytes, std::string name);

    std::int64_t rows() const { return m_rows; }
    const std::vector<TableColumn>& columns() const { return m_columns; }
    /// Whether a column of this name can be read.
    bool has(std::string_view column) const;

    /// Calls `row` with the values of the named columns, in their order, row by row from 0. Throws Error
    /// “parquet.damaged”, “parquet.unread” (an encoding or a packing that this reader does not know);
    /// std::invalid_argument for a column that `has` does not know.
    void eachRow(const std::vector<std::string>& columns, const TableRow& row) const;

    /// The part of a column in one group of rows.
    struct Chunk {
        std::int64_t start = 0, bytes = 0; ///< place in the file
        int packing = 0;                   ///< Parquet's number of the compression
    };
    /// What the values of a column look like.
    struct Form {
        int type = 0;        ///< Parquet's number of the physical type
        int mostDefined = 0; ///< optional names on the way to the value
    };

private:
    struct Group {
        std::int64_t rows = 0;
        std::vector<Chunk> chunks; ///< by column
    };
    void read();
    void readDirectory(std::span<const std::byte> directory);
    [[noreturn]] void rethrow(const Error& error) const;

    std::string m_name;
    std::shared_ptr<const MappedFile> m_mapping; ///< null: borrowed bytes
    std::span<const std::byte> m_bytes;
    std::int64_t m_rows = 0;
    std::vector<TableColumn> m_columns;
    std::vector<Form> m_forms; ///< by column
    std::vector<Group> m_groups;
};

} // namespace headroom
