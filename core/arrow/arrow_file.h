// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tables/columns.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace headroom {

class Error;
class MappedFile;
struct ArrowLeaf;

/// An Arrow file: the stream of messages in which Hugging Face's library keeps its data sets, or the file
/// format around such a stream (also called Feather 2). Reads single values by column: texts, bytes, numbers
/// and truths, also inside structs (“audio.bytes”) and dictionaries, but no lists. Not packed, or packed with
/// LZ4 or ZSTD.
///
/// Immutable; safe on every thread. Offsets and sizes in the file are checked before they are used.
class ArrowFile {
public:
    /// Reads the schema and the place of every batch. Throws Error “arrow.missing”, “arrow.damaged” (not
    /// Arrow, cut short, contradictory) or “arrow.unread” (Feather 1, big-endian, an unknown packing, an old version).
    explicit ArrowFile(const std::filesystem::path& file);
    /// The same of bytes, which it borrows; `name` stands in messages.
    ArrowFile(std::span<const std::byte> bytes, std::string name);

    std::int64_t rows() const { return m_rows; }
    const std::vector<TableColumn>& columns() const { return m_columns; }
    /// Whether a column of this name can be read.
    bool has(std::string_view column) const;

    /// Calls `row` with the values of the named columns, in their order, row by row from 0. Throws Error
    /// “arrow.damaged”; std::invalid_argument for a column that `has` does not know, and for none.
    void eachRow(const std::vector<std::string>& columns, const TableRow& row) const;

private:
    /// A batch of rows, or the values of a dictionary.
    struct Message {
        std::optional<std::int64_t> dictionary; ///< whose values it has
        bool isMore = false;                    ///< they follow those that were there
        std::span<const std::byte> header, body;
    };
    void read();
    void readStream(std::span<const std::byte> stream);
    void readMessage(std::span<const std::byte> header, std::span<const std::byte> body);
    void addBatch(const Message& message);
    std::size_t columnNamed(const std::string& name) const;
    [[noreturn]] void rethrow(const Error& error) const;

    std::string m_name;
    std::shared_ptr<const MappedFile> m_mapping; ///< null: borrowed bytes
    std::span<const std::byte> m_bytes;
    std::int64_t m_rows = 0;
    std::vector<TableColumn> m_columns;
    std::shared_ptr<const std::vector<ArrowLeaf>> m_leaves; ///< by column; null before the schema
    std::vector<Message> m_messages;
};

} // namespace headroom
