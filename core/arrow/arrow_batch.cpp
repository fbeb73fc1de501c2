// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/arrow/arrow_batch.h"

#include "core/arrow/arrow_error.h"

#include <lz4frame.h>
#include <zstd.h>

#include <array>
#include <bit>
#include <charconv>
#include <type_traits>

namespace headroom {

namespace {

constexpr std::size_t kNodeBytes = 16, kBufferBytes = 16, kCountBytes = 8, kViewBytes = 16, kInView = 12;
constexpr std::int64_t kFree = std::int64_t{64} << 20, kMostOfByte = 4096; // as core/parquet/unpack.cpp

std::span<const std::byte> partOf(std::span<const std::byte> bytes, std::int64_t first, std::int64_t count,
                                  const char* otherwise) {
    const auto size = static_cast<std::int64_t>(bytes.size());
    if (first < 0 || count < 0 || first > size || count > size - first)
        throw damagedArrow(otherwise);
    return bytes.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count));
}

std::int64_t entry(std::span<const std::byte> list, std::size_t at, std::size_t bytes) {
    if (at >= list.size() / bytes)
        throw damagedArrow("a batch does not have the columns of the schema");
    return signedLittleEndian(list.subspan(at * bytes, 8));
}

bool bitOf(std::span<const std::byte> bytes, std::int64_t at) {
    return (std::to_integer<int>(bytes[static_cast<std::size_t>(at / 8)]) >> (at % 8) & 1) != 0;
}

template <class Number>
std::string numberText(Number number) {
    std::array<char, 32> text{};
    return {text.data(), std::to_chars(text.data(), text.data() + text.size(), number).ptr};
}

/// One frame of LZ4 that fills the room exactly and has nothing behind it.
bool unpackedFrame(std::span<const std::byte> packed, std::span<std::byte> room) {
    LZ4F_dctx* context = nullptr;
    if (LZ4F_isError(LZ4F_createDecompressionContext(&context, LZ4F_VERSION)) != 0)
        return false;
    std::size_t read = 0, filled = 0, left = 1; // left: 0 at the end of the frame
    while (left != 0) {
        std::size_t from = packed.size() - read, into = room.size() - filled;
        left = LZ4F_decompress(context, room.data() + filled, &into, packed.data() + read, &from, nullptr);
        if (LZ4F_isError(left) != 0 || (from == 0 && into == 0)) // damaged; cut short or longer than the room
            break;
        read += from;
        filled += into;
    }
    LZ4F_freeDecompressionContext(context);
    return left == 0 && read == packed.size() && filled == room.size();
}

/// Bytes that the fixed part of a column has for so many rows.
void checkRoom(std::span<const std::byte> bytes, std::int64_t rows, std::int64_t each) {
    if (rows > static_cast<std::int64_t>(bytes.size()) / each)
        throw damagedArrow("a column has fewer values than rows");
}

} // namespace

// Vectors of readers grow: a copy would look into the buffers of the first.
static_assert(std::is_nothrow_move_constructible_v<ArrowValues>);

ArrowBatch::ArrowBatch(const FlatTable& header, std::span<const std::byte> body)
    : m_rows(header.integer(0, 8))
    , m_nodes(header.elements(1, kNodeBytes))
    , m_buffers(header.elements(2, kBufferBytes))
    , m_variadic(header.elements(4, kCountBytes))
    , m_body(body) {
    if (m_rows < 0)
        throw damagedArrow("a batch has a negative number of rows");
    if (const auto packing = header.table(3)) {
        m_isPacked = true;
        const auto codec = packing->integer(0, 1);
        if (codec < 0 || codec > 1 || packing->integer(1, 1) != 0)
            throw unreadArrow("it is packed in an unknown way. Write it again without compression, with LZ4 or with ZSTD");
        m_isFrame = codec == 0;
    }
}

void ArrowBatch::checkLength(const ArrowPlace& place) const {
    if (entry(m_nodes, place.node, kNodeBytes) != m_rows)
        throw damagedArrow("a column does not have as many values as the batch has rows");
}

std::int64_t ArrowBatch::missing(const ArrowPlace& place) const {
    if (place.node >= m_nodes.size() / kNodeBytes)
        throw damagedArrow("a batch does not have the columns of the schema");
    return signedLittleEndian(m_nodes.subspan(place.node * kNodeBytes + 8, 8));
}

std::size_t ArrowBatch::variadicBuffers(const ArrowPlace& place) const {
    const auto count = entry(m_variadic, place.views, kCountBytes);
    if (count < 0 || count > static_cast<std::int64_t>(m_buffers.size() / kBufferBytes))
        throw damagedArrow("a batch does not have the columns of the schema");
    return static_cast<std::size_t>(count);
}

std::size_t ArrowBatch::firstBuffer(const ArrowPlace& place) const {
    auto buffer = place.buffer;
    for (std::size_t view = 0; view < place.views; ++view)
        buffer += variadicBuffers({0, 0, view});
    return buffer;
}

std::span<const std::byte> ArrowBatch::packed(std::size_t buffer) const {
    const auto first = entry(m_buffers, buffer, kBufferBytes);
    const auto count = signedLittleEndian(m_buffers.subspan(buffer * kBufferBytes + 8, 8));
    return partOf(m_body, first, count, "a column lies outside its batch");
}

std::int64_t ArrowBatch::packedBytes(std::size_t buffer) const {
    return static_cast<std::int64_t>(packed(buffer).size());
}

std::span<const std::byte> ArrowBatch::bytes(std::size_t buffer, std::vector<std::byte>& room) const {
    const auto stored = packed(buffer);
    if (!m_isPacked || stored.empty())
        return stored;
    const auto size = signedLittleEndian(partOf(stored, 0, kCountBytes, "a packed column has no size"));
    const auto data = stored.subspan(kCountBytes);
    if (size == -1) // not worth packing
        return data;
    if (size < 0 || (size > kFree && size / kMostOfByte > static_cast<std::int64_t>(data.size())))
        throw damagedArrow("a column claims more bytes than it can contain");
    room.resize(static_cast<std::size_t>(size));
    if (size > 0 && !(m_isFrame ? unpackedFrame(data, room)
                                : ZSTD_decompress(room.data(), room.size(), data.data(), data.size()) == room.size()))
        throw damagedArrow("a column cannot be unpacked");
    return room;
}

ArrowValues::ArrowValues(const ArrowBatch& batch, const ArrowLeaf& leaf, const ArrowDictionary* dictionary)
    : m_leaf(leaf)
    , m_dictionary(dictionary) {
    for (const auto& above : leaf.structs)
        m_presence.push_back(presenceOf(batch, above));
    m_presence.push_back(presenceOf(batch, leaf.place));
    const auto first = batch.firstBuffer(leaf.place);
    m_fixed = take(batch, first + 1);
    const auto rows = batch.rows();
    const auto& form = leaf.form;
    if (form.kind == ArrowForm::Kind::Truth)
        checkRoom(m_fixed.bytes, rows / 8 + (rows % 8 != 0), 1);
    else
        checkRoom(m_fixed.bytes, rows, form.bytes);
    if (form.kind == ArrowForm::Kind::Text) {
        // One offset more than rows; without rows a writer may leave it out.
        if (rows > 0)
            checkRoom(m_fixed.bytes.subspan(static_cast<std::size_t>(form.bytes)), rows, form.bytes);
        m_texts.push_back(take(batch, first + 2));
    } else if (form.kind == ArrowForm::Kind::View) {
        for (std::size_t i = 0; i < batch.variadicBuffers(leaf.place); ++i)
            m_texts.push_back(take(batch, first + 2 + i));
    }
}

ArrowValues::Buffer ArrowValues::take(const ArrowBatch& batch, std::size_t buffer) const {
    Buffer taken;
    taken.bytes = batch.bytes(buffer, taken.room); // a moved vector keeps its bytes in place
    return taken;
}

ArrowValues::Presence ArrowValues::presenceOf(const ArrowBatch& batch, const ArrowPlace& place) const {
    batch.checkLength(place);
    Presence presence;
    if (batch.missing(place) == 0)
        return presence;
    presence.isWhole = false;
    presence.bits = take(batch, batch.firstBuffer(place));
    checkRoom(presence.bits.bytes, batch.rows() / 8 + (batch.rows() % 8 != 0), 1);
    return presence;
}

std::optional<std::string_view> ArrowValues::at(std::int64_t row) {
    for (const auto& presence : m_presence)
        if (!presence.isWhole && !bitOf(presence.bits.bytes, row))
            return std::nullopt;
    if (m_leaf.form.kind == ArrowForm::Kind::Truth)
        return bitOf(m_fixed.bytes, row) ? "true" : "false";
    if (m_leaf.form.kind == ArrowForm::Kind::Text)
        return textAt(row);
    if (m_leaf.form.kind == ArrowForm::Kind::View)
        return viewAt(row);
    if (!m_leaf.dictionary)
        return numberAt(row);
    const auto bytes = static_cast<std::size_t>(m_leaf.form.bytes);
    const auto number =
        signedLittleEndian(m_fixed.bytes.subspan(static_cast<std::size_t>(row) * bytes, bytes));
    // An index of 128 in one byte without sign is −128 here.
    const auto index =
        m_leaf.form.isSigned || bytes == 8 ? number : number & ((std::int64_t{1} << (8 * bytes)) - 1);
    if (m_dictionary == nullptr || index < 0 || index >= static_cast<std::int64_t>(m_dictionary->size()))
        throw damagedArrow("a column names a value that its dictionary does not have");
    const auto& value = (*m_dictionary)[static_cast<std::size_t>(index)];
    return value ? std::optional<std::string_view>(*value) : std::nullopt;
}

std::string_view ArrowValues::textAt(std::int64_t row) const {
    const auto width = static_cast<std::size_t>(m_leaf.form.bytes),
               at = static_cast<std::size_t>(row) * width;
    const auto first = signedLittleEndian(m_fixed.bytes.subspan(at, width)),
               end = signedLittleEndian(m_fixed.bytes.subspan(at + width, width));
    if (first < 0 || end < first)
        throw damagedArrow("a text lies outside its column");
    return textOfBytes(partOf(m_texts.front().bytes, first, end - first, "a text lies outside its column"));
}

std::string_view ArrowValues::viewAt(std::int64_t row) const {
    const auto view = m_fixed.bytes.subspan(static_cast<std::size_t>(row) * kViewBytes, kViewBytes);
    const auto length = signedLittleEndian(view.first(4));
    if (length >= 0 && length <= static_cast<std::int64_t>(kInView))
        return textOfBytes(view.subspan(4, static_cast<std::size_t>(length)));
    const auto buffer = signedLittleEndian(view.subspan(8, 4));
    if (buffer < 0 || buffer >= static_cast<std::int64_t>(m_texts.size()))
        throw damagedArrow("a text lies outside its column");
    return textOfBytes(partOf(m_texts[static_cast<std::size_t>(buffer)].bytes,
                              signedLittleEndian(view.subspan(12, 4)), length,
                              "a text lies outside its column"));
}

std::string_view ArrowValues::numberAt(std::int64_t row) {
    const auto bytes = static_cast<std::size_t>(m_leaf.form.bytes);
    const auto number =
        signedLittleEndian(m_fixed.bytes.subspan(static_cast<std::size_t>(row) * bytes, bytes));
    if (m_leaf.form.kind == ArrowForm::Kind::Real)
        m_text = bytes == 4 ? numberText(std::bit_cast<float>(static_cast<std::uint32_t>(number)))
                            : numberText(std::bit_cast<double>(number));
    else if (m_leaf.form.isSigned)
        m_text = numberText(number);
    else
        m_text = numberText(static_cast<std::uint64_t>(number) &
                            (bytes == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * bytes)) - 1));
    return m_text;
}

} // namespace headroom
