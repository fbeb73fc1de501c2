// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parquet/parquet_file.h"

#include "core/errors/display_name.h"
#include "core/errors/first_bytes.h"
#include "core/parquet/column_values.h"
#include "core/parquet/parquet_error.h"
#include "core/parquet/thrift_compact.h"
#include "core/tensors/mapped_file.h"

#include <algorithm>
#include <stdexcept>

namespace headroom {

namespace {

using Type = ThriftReader::Type;

constexpr std::size_t kMarkBytes = 4, kTailBytes = 8; // “PAR1”; the directory's length and “PAR1”
constexpr int kOptional = 1, kRepeated = 2;

std::string_view textAt(std::span<const std::byte> bytes, std::size_t at, std::size_t length) {
    return {reinterpret_cast<const char*>(bytes.data()) + at, length};
}

/// A node of the schema, which is written as a tree in preorder.
struct SchemaNode {
    std::string name;
    int type = -1, repetition = 0;
    std::int64_t children = 0;
};

SchemaNode readNode(ThriftReader& reader) {
    SchemaNode node;
    reader.eachField([&](int id, Type type) {
        if (id == 4 && type == Type::Binary)
            node.name = reader.binary();
        else if (id == 1 && type == Type::I32)
            node.type = static_cast<int>(reader.integer());
        else if (id == 3 && type == Type::I32)
            node.repetition = static_cast<int>(reader.integer());
        else if (id == 5 && type == Type::I32)
            node.children = reader.integer();
        else
            return false;
        return true;
    });
    return node;
}

/// Walks the nodes and lists their leaves.
class Leaves {
public:
    Leaves(const std::vector<SchemaNode>& nodes, std::vector<TableColumn>& columns,
           std::vector<ParquetFile::Form>& forms)
        : m_nodes(nodes)
        , m_columns(columns)
        , m_forms(forms) {
        if (nodes.empty())
            throw damagedParquet("it has no schema");
        const auto top = m_nodes[m_at++].children;
        for (std::int64_t i = 0; i < top; ++i)
            read("", 0, false, 0);
    }

private:
    void read(const std::string& above, int defined, bool isList, int depth) {
        if (m_at >= m_nodes.size() || depth > 64)
            throw damagedParquet("its schema does not end");
        const auto& node = m_nodes[m_at++];
        const auto name = above.empty() ? node.name : above + "." + node.name;
        defined += node.repetition == kOptional || node.repetition == kRepeated;
        isList = isList || node.repetition == kRepeated;
        if (node.children == 0) {
            m_columns.push_back({name, !isList && isKnownType(node.type), 0});
            m_forms.push_back({node.type, defined});
        }
        for (std::int64_t i = 0; i < node.children; ++i)
            read(name, defined, isList, depth + 1);
    }

    const std::vector<SchemaNode>& m_nodes;
    std::vector<TableColumn>& m_columns;
    std::vector<ParquetFile::Form>& m_forms;
    std::size_t m_at = 0;
};

ParquetFile::Chunk readChunk(ThriftReader& reader) {
    ParquetFile::Chunk chunk;
    std::int64_t pages = -1, dictionary = -1;
    bool isElsewhere = false;
    reader.eachField([&](int id, Type type) {
        isElsewhere = isElsewhere || id == 1;
        if (id != 3 || type != Type::Struct)
            return false;
        reader.eachField([&](int key, Type) {
            std::int64_t* const wanted = key == 7    ? &chunk.bytes
                                         : key == 9  ? &pages
                                         : key == 11 ? &dictionary
                                                     : nullptr;
            if (key == 4)
                chunk.packing = static_cast<int>(reader.integer());
            else if (wanted != nullptr)
                *wanted = reader.integer();
            return key == 4 || wanted != nullptr;
        });
        return true;
    });
    if (isElsewhere)
        throw unreadParquet("its columns are in other files");
    // Some writers set the place of a dictionary that is not there to 0.
    chunk.start = dictionary > 0 ? std::min(dictionary, pages) : pages;
    return chunk;
}

} // namespace

ParquetFile::ParquetFile(const std::filesystem::path& file)
    : m_name(displayName(file))
    , m_mapping(std::make_shared<MappedFile>(file, "parquet.missing"))
    , m_bytes(m_mapping->bytes()) {
    read();
}

ParquetFile::ParquetFile(std::span<const std::byte> bytes, std::string name)
    : m_name(std::move(name))
    , m_bytes(bytes) {
    read();
}

void ParquetFile::read() {
    try {
        const auto bytes = m_bytes;
        if (bytes.empty())
            throw damagedParquet("it is empty. Download or copy it again");
        if (const char* otherwise = notDownloaded(textAt(bytes, 0, std::min<std::size_t>(bytes.size(), 64))))
            throw damagedParquet(std::string("it ") + otherwise);
        if (bytes.size() < kMarkBytes + kTailBytes || textAt(bytes, 0, kMarkBytes).substr(0, 3) != "PAR")
            throw damagedParquet("it does not begin as one");
        const auto mark = textAt(bytes, bytes.size() - kMarkBytes, kMarkBytes);
        if (mark == "PARE")
            throw unreadParquet("it is encrypted");
        if (mark != "PAR1")
            throw damagedParquet("it ends early. Download or copy it again");
        const auto length = littleEndian(bytes.subspan(bytes.size() - kTailBytes, 4));
        if (length > bytes.size() - kMarkBytes - kTailBytes)
            throw damagedParquet("its directory is longer than the file");
        readDirectory(bytes.subspan(bytes.size() - kTailBytes - length, length));
    } catch (const Error& error) {
        rethrow(error);
    }
}

void ParquetFile::readDirectory(std::span<const std::byte> directory) {
    ThriftReader reader(directory);
    std::vector<SchemaNode> nodes;
    reader.eachField([&](int id, Type type) {
        if (id == 2 && type == Type::List) {
            reader.eachElement([&](Type) { nodes.push_back(readNode(reader)); });
        } else if (id == 3 && type == Type::I64) {
            m_rows = reader.integer();
        } else if (id == 4 && type == Type::List) {
            reader.eachElement([&](Type) {
                Group& group = m_groups.emplace_back();
                reader.eachField([&](int key, Type) {
                    if (key == 1)
                        reader.eachElement([&](Type) { group.chunks.push_back(readChunk(reader)); });
                    else if (key == 3)
                        group.rows = reader.integer();
                    return key == 1 || key == 3;
                });
            });
        } else {
            return false;
        }
        return true;
    });
    Leaves(nodes, m_columns, m_forms);
    std::int64_t rows = 0;
    for (const auto& group : m_groups) {
        if (group.rows < 0 || group.chunks.size() != m_columns.size())
            throw damagedParquet("a group of rows does not have the columns of the schema");
        rows += group.rows;
        for (std::size_t i = 0; i < m_columns.size(); ++i) {
            const auto& chunk = group.chunks[i];
            const auto size = static_cast<std::int64_t>(m_bytes.size());
            if (chunk.start < 0 || chunk.bytes < 0 || chunk.bytes > size || chunk.start > size - chunk.bytes)
                throw damagedParquet("the column “" + m_columns[i].name + "” lies outside the file");
            m_columns[i].packedBytes += chunk.bytes;
        }
    }
    if (rows != m_rows)
        throw damagedParquet("its groups do not have the rows of the file");
}

bool ParquetFile::has(std::string_view column) const {
    return std::any_of(m_columns.begin(), m_columns.end(),
                       [&](const TableColumn& each) { return each.isRead && each.name == column; });
}

void ParquetFile::eachRow(const std::vector<std::string>& columns, const TableRow& row) const {
    std::vector<std::size_t> wanted;
    for (const auto& name : columns) {
        if (!has(name))
            throw std::invalid_argument("ParquetFile: no column " + name);
        const auto at = std::find_if(m_columns.begin(), m_columns.end(),
                                     [&](const TableColumn& each) { return each.name == name; });
        wanted.push_back(static_cast<std::size_t>(at - m_columns.begin()));
    }
    std::int64_t index = 0;
    std::vector<TableValue> values(wanted.size());
    for (const auto& group : m_groups) {
        std::vector<ColumnValues> readers;
        for (const auto column : wanted) {
            const auto& chunk = group.chunks[column];
            readers.emplace_back(
                m_bytes.subspan(static_cast<std::size_t>(chunk.start), static_cast<std::size_t>(chunk.bytes)),
                chunk, m_forms[column]);
        }
        for (std::int64_t i = 0; i < group.rows; ++i) {
            try {
                for (std::size_t c = 0; c < wanted.size(); ++c)
                    values[c] = readers[c].next();
            } catch (const Error& error) {
                rethrow(error);
            }
            row(index++, values);
        }
    }
}

void ParquetFile::rethrow(const Error& error) const {
    const bool isDamaged = error.code() == "parquet.damaged";
    throw Error(error.code(),
                m_name + (isDamaged ? " is not a usable Parquet file: " : " cannot be read: ") +
                    error.what() + ".",
                {{"file", m_name}});
}

} // namespace headroom
