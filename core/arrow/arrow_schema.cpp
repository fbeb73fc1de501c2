// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/arrow/arrow_schema.h"

#include "core/arrow/arrow_error.h"

namespace headroom {

namespace {

// The numbers of fields and types are those of Schema.fbs of Apache Arrow.
enum FieldOf { Name = 0, TypeNumber = 2, TypeTable = 3, Dictionary = 4, Children = 5 };
enum TypeOf {
    Null = 1,
    Int = 2,
    FloatingPoint = 3,
    Binary = 4,
    Utf8 = 5,
    Bool = 6,
    List = 12,
    Struct = 13,
    Union = 14,
    FixedSizeList = 16,
    Map = 17,
    LargeBinary = 19,
    LargeUtf8 = 20,
    LargeList = 21,
    RunEndEncoded = 22,
    BinaryView = 23,
    Utf8View = 24,
    ListView = 25,
    LargeListView = 26
};
constexpr int kDeepest = 64;
constexpr std::size_t kMostFields = 10'000, kLongestName = 4096;

ArrowForm integerForm(const std::optional<FlatTable>& type) {
    const auto bits = type ? type->integer(0, 4) : 0;
    if (bits != 8 && bits != 16 && bits != 32 && bits != 64)
        return {};
    return {ArrowForm::Kind::Integer, static_cast<int>(bits / 8), type->truth(1)};
}

ArrowForm formOf(std::int64_t type, const std::optional<FlatTable>& details) {
    using Kind = ArrowForm::Kind;
    switch (type) {
    case Int:
        return integerForm(details);
    case FloatingPoint: {
        const auto precision = details ? details->integer(0, 2) : 0; // 0: half
        return precision == 1   ? ArrowForm{Kind::Real, 4}
               : precision == 2 ? ArrowForm{Kind::Real, 8}
                                : ArrowForm{};
    }
    case Bool:
        return {Kind::Truth, 1};
    case Binary:
    case Utf8:
        return {Kind::Text, 4};
    case LargeBinary:
    case LargeUtf8:
        return {Kind::Text, 8};
    case BinaryView:
    case Utf8View:
        return {Kind::View, 16};
    default:
        return {};
    }
}

/// The buffers of a field without those of its children.
std::size_t buffersOf(std::int64_t type, const std::optional<FlatTable>& details, std::int64_t version) {
    switch (type) {
    case Null:
    case RunEndEncoded:
        return 0;
    case Struct:
    case FixedSizeList:
        return 1;
    case Binary:
    case Utf8:
    case LargeBinary:
    case LargeUtf8:
    case ListView:
    case LargeListView:
        return 3;
    case Union: // sparse 0, dense 1; what is missing was a buffer of its own before version 5
        return (details && details->integer(0, 2) == 1 ? 2 : 1) + (version < kArrowVersion5 ? 1 : 0);
    default:
        return 2;
    }
}

/// Walks the fields in the order in which batches list their nodes and buffers.
class LeavesOfArrow {
public:
    explicit LeavesOfArrow(std::int64_t version) : m_version(version) {}

    void read(const FlatTable& field, const std::string& above, bool isRead, int depth) {
        if (depth > kDeepest || m_next.node >= kMostFields)
            throw damagedArrow("its schema does not end");
        const auto name = std::string(above).append(above.empty() ? "" : ".").append(field.text(Name));
        if (name.size() > kLongestName)
            throw damagedArrow("the name of a column does not end");
        const auto type = field.integer(TypeNumber, 1);
        const auto details = field.table(TypeTable);
        const auto dictionary = field.table(Dictionary);
        const ArrowPlace place = m_next;
        ++m_next.node;
        m_next.buffer += dictionary ? 2 : buffersOf(type, details, m_version);
        m_next.views += !dictionary && (type == BinaryView || type == Utf8View);
        const auto children = dictionary ? std::vector<FlatTable>() : field.tables(Children);
        if (!children.empty()) {
            if (type == Struct)
                m_structs.push_back(place);
            for (const auto& child : children)
                read(child, name, isRead && type == Struct, depth + 1);
            if (type == Struct)
                m_structs.pop_back();
            return;
        }
        ArrowLeaf leaf{name, formOf(type, details), place, m_structs, {}, {}};
        if (dictionary) {
            leaf.dictionary = dictionary->integer(0, 8);
            leaf.ofDictionary = leaf.form;
            const auto index = dictionary->table(1);
            leaf.form = index ? integerForm(index) : ArrowForm{ArrowForm::Kind::Integer, 4, true};
            isRead = isRead && leaf.ofDictionary.kind != ArrowForm::Kind::Unread;
        }
        if (!isRead)
            leaf.form = {};
        m_leaves.push_back(std::move(leaf));
    }

    std::vector<ArrowLeaf> take() { return std::move(m_leaves); }

private:
    std::int64_t m_version;
    ArrowPlace m_next;
    std::vector<ArrowPlace> m_structs;
    std::vector<ArrowLeaf> m_leaves;
};

} // namespace

std::vector<ArrowLeaf> arrowLeaves(const FlatTable& schema, std::int64_t version) {
    if (schema.integer(0, 2) != 0)
        throw unreadArrow("its numbers are big-endian");
    LeavesOfArrow leaves(version);
    for (const auto& field : schema.tables(1))
        leaves.read(field, "", true, 0);
    return leaves.take();
}

} // namespace headroom
