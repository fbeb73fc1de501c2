// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/arrow/arrow_schema.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

/// The rows of one message: their lengths and where their buffers lie. Borrows the bytes.
class ArrowBatch {
public:
    /// `header`: a table RecordBatch; `body`: the bytes behind its message. Throws Error "arrow.damaged",
    /// "arrow.unread" (LZ4).
    ArrowBatch(const FlatTable& header, std::span<const std::byte> body);

    std::int64_t rows() const { return m_rows; }
    /// Throws unless the node of a column has as many values as the batch has rows.
    void checkLength(const ArrowPlace& place) const;
    std::int64_t missing(const ArrowPlace& place) const;
    /// The number of a column's first buffer, with those of views before it.
    std::size_t firstBuffer(const ArrowPlace& place) const;
    /// The buffers of values of a column of views.
    std::size_t variadicBuffers(const ArrowPlace& place) const;
    /// Bytes of a buffer as it lies in the file.
    std::int64_t packedBytes(std::size_t buffer) const;
    /// The bytes of a buffer. `room` holds them if they are packed.
    std::span<const std::byte> bytes(std::size_t buffer, std::vector<std::byte>& room) const;

private:
    std::span<const std::byte> packed(std::size_t buffer) const;

    std::int64_t m_rows = 0;
    std::span<const std::byte> m_nodes, m_buffers, m_variadic, m_body;
    bool m_isPacked = false;
    bool m_isFrame = false; ///< packed with LZ4, not ZSTD
};

/// The values of a dictionary; nullopt: there is none.
using ArrowDictionary = std::vector<std::optional<std::string>>;

/// The values of a column in one batch. One thread.
class ArrowValues {
public:
    /// `dictionary` is borrowed; null for a column without one. Throws Error "arrow.damaged" if the buffers
    /// do not have the rows.
    ArrowValues(const ArrowBatch& batch, const ArrowLeaf& leaf, const ArrowDictionary* dictionary);
    ArrowValues(ArrowValues&&) noexcept = default;
    /// The view is valid until the next call. `row` is below batch.rows().
    std::optional<std::string_view> at(std::int64_t row);

private:
    struct Buffer {
        std::vector<std::byte> room;
        std::span<const std::byte> bytes;
    };
    struct Presence {
        Buffer bits;
        bool isWhole = true; ///< nothing is missing
    };
    Presence presenceOf(const ArrowBatch& batch, const ArrowPlace& place) const;
    Buffer take(const ArrowBatch& batch, std::size_t buffer) const;
    std::string_view textAt(std::int64_t row) const;
    std::string_view viewAt(std::int64_t row) const;
    std::string_view numberAt(std::int64_t row);

    const ArrowLeaf& m_leaf;
    const ArrowDictionary* m_dictionary;
    std::vector<Presence> m_presence; ///< of the structs, then of the column
    Buffer m_fixed;                   ///< numbers, truths, offsets or views
    std::vector<Buffer> m_texts;
    std::string m_text; ///< of a number
};

} // namespace headroom
