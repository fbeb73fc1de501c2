// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/arrow/arrow_file.h"

#include "core/arrow/arrow_batch.h"
#include "core/arrow/arrow_error.h"
#include "core/errors/display_name.h"
#include "core/errors/first_bytes.h"
#include "core/tensors/mapped_file.h"

#include <algorithm>
#include <map>
#include <stdexcept>

namespace headroom {

namespace {

// The numbers of fields and headers are those of Message.fbs of Apache Arrow.
enum HeaderOf { SchemaHeader = 1, DictionaryHeader = 2, BatchHeader = 3 };
constexpr std::int64_t kVersion4 = 3;
constexpr std::size_t kMostOfDictionary = std::size_t{256} << 20; // bytes in memory
constexpr std::size_t kWord = 4, kMarkBytes = 6, kBeforeStream = 8;
constexpr const char* kCutShort = "it ends early. Download or copy it again";
constexpr const char* kNotArrow = "it does not begin as one";

/// The table of a RecordBatch in the message of a batch or of a dictionary.
FlatTable rowsOf(std::span<const std::byte> header, bool isDictionary) {
    auto batch = FlatTable::root(header).table(2);
    if (batch && isDictionary)
        batch = batch->table(1);
    if (!batch)
        throw damagedArrow("a batch has no header");
    return *batch;
}

/// A dictionary is a batch of one column.
ArrowLeaf leafOfDictionary(const ArrowLeaf& leaf) {
    ArrowLeaf values;
    values.form = leaf.ofDictionary;
    return values;
}

/// Appends the values of a dictionary; `bytes` counts what all of them take.
void readDictionary(std::span<const std::byte> header, std::span<const std::byte> body, const ArrowLeaf& leaf,
                    ArrowDictionary& dictionary, std::size_t& bytes) {
    const ArrowBatch batch(rowsOf(header, true), body);
    ArrowValues values(batch, leaf, nullptr);
    for (std::int64_t i = 0; i < batch.rows(); ++i) {
        const auto value = values.at(i);
        bytes += sizeof(std::optional<std::string>) + (value ? value->size() : 0);
        if (bytes > kMostOfDictionary)
            throw unreadArrow("its dictionaries take more than 256 MB");
        dictionary.push_back(value ? std::optional(std::string(*value)) : std::nullopt);
    }
}

} // namespace

ArrowFile::ArrowFile(const std::filesystem::path& file)
    : m_name(displayName(file))
    , m_mapping(std::make_shared<MappedFile>(file, "arrow.missing"))
    , m_bytes(m_mapping->bytes()) {
    read();
}

ArrowFile::ArrowFile(std::span<const std::byte> bytes, std::string name)
    : m_name(std::move(name))
    , m_bytes(bytes) {
    read();
}

void ArrowFile::read() {
    try {
        const auto text = textOfBytes(m_bytes);
        if (text.empty())
            throw damagedArrow("it is empty. Download or copy it again");
        if (const char* otherwise = notDownloaded(text))
            throw damagedArrow(std::string("it ") + otherwise);
        if (text.starts_with("FEA1"))
            throw unreadArrow("it is a Feather file of version 1. Write it again with version 2");
        const bool isFile = text.starts_with("ARROW1");
        if (isFile && (text.size() < kBeforeStream + kMarkBytes || !text.ends_with("ARROW1")))
            throw damagedArrow(kCutShort);
        readStream(isFile ? m_bytes.subspan(kBeforeStream) : m_bytes);
    } catch (const Error& error) {
        rethrow(error);
    }
}

void ArrowFile::readStream(std::span<const std::byte> stream) {
    std::size_t at = 0;
    const auto take = [&](std::int64_t count) {
        if (count < 0 || count > static_cast<std::int64_t>(stream.size() - at))
            throw damagedArrow(m_leaves ? kCutShort : kNotArrow);
        at += static_cast<std::size_t>(count);
        return stream.subspan(at - static_cast<std::size_t>(count), static_cast<std::size_t>(count));
    };
    while (true) {
        auto length = signedLittleEndian(take(kWord));
        if (length == -1) // since version 0.15 of Arrow
            length = signedLittleEndian(take(kWord));
        if (length == 0)
            break;
        const auto header = take(length);
        const auto bodyBytes = FlatTable::root(header).integer(3, 8);
        readMessage(header, take(bodyBytes));
    }
    if (!m_leaves)
        throw damagedArrow("it has no schema");
}

void ArrowFile::readMessage(std::span<const std::byte> header, std::span<const std::byte> body) {
    const auto message = FlatTable::root(header);
    const auto version = message.integer(0, 2), type = message.integer(1, 1);
    const auto content = message.table(2);
    if (!content || (type != SchemaHeader && !m_leaves))
        throw damagedArrow(m_leaves ? "a message has no header" : kNotArrow);
    if (version != kVersion4 && version != kArrowVersion5)
        throw unreadArrow("its version of the format is " + std::to_string(version + 1) +
                          "; 4 and 5 are read");
    if (type == SchemaHeader) {
        if (m_leaves)
            throw damagedArrow("it has two schemas");
        m_leaves = std::make_shared<const std::vector<ArrowLeaf>>(arrowLeaves(*content, version));
        for (const auto& leaf : *m_leaves)
            m_columns.push_back({leaf.name, leaf.form.kind != ArrowForm::Kind::Unread, 0});
    } else if (type == BatchHeader) {
        addBatch({std::nullopt, false, header, body});
    } else if (type == DictionaryHeader) {
        m_messages.push_back({content->integer(0, 8), content->truth(2), header, body});
    } else {
        throw unreadArrow("it holds tensors, not a table");
    }
}

void ArrowFile::addBatch(const Message& message) {
    const ArrowBatch batch(rowsOf(message.header, false), message.body);
    if (batch.rows() > INT64_MAX - m_rows)
        throw damagedArrow("a batch claims more rows than it can contain");
    m_rows += batch.rows();
    for (std::size_t i = 0; i < m_columns.size(); ++i) {
        const auto& leaf = (*m_leaves)[i];
        if (!m_columns[i].isRead)
            continue;
        const auto first = batch.firstBuffer(leaf.place);
        const bool isView = leaf.form.kind == ArrowForm::Kind::View;
        const auto count = isView ? batch.variadicBuffers(leaf.place) : 1;
        const std::size_t before = isView || leaf.form.kind == ArrowForm::Kind::Text ? 2 : 1;
        for (std::size_t buffer = 0; buffer < count; ++buffer)
            m_columns[i].packedBytes += batch.packedBytes(first + before + buffer);
    }
    m_messages.push_back(message);
}

bool ArrowFile::has(std::string_view column) const {
    return std::any_of(m_columns.begin(), m_columns.end(),
                       [&](const TableColumn& each) { return each.isRead && each.name == column; });
}

std::size_t ArrowFile::columnNamed(const std::string& name) const {
    const auto at = std::find_if(m_columns.begin(), m_columns.end(),
                                 [&](const TableColumn& each) { return each.isRead && each.name == name; });
    if (at == m_columns.end())
        throw std::invalid_argument("ArrowFile: no column " + name);
    return static_cast<std::size_t>(at - m_columns.begin());
}

void ArrowFile::eachRow(const std::vector<std::string>& columns, const TableRow& row) const {
    if (columns.empty())
        throw std::invalid_argument("ArrowFile: rows of no column");
    std::vector<const ArrowLeaf*> wanted;
    std::map<std::int64_t, ArrowDictionary> dictionaries;
    std::size_t dictionaryBytes = 0;
    std::map<std::int64_t, ArrowLeaf> dictionaryLeaves;
    for (const auto& name : columns) {
        wanted.push_back(&(*m_leaves)[columnNamed(name)]);
        if (const auto id = wanted.back()->dictionary)
            dictionaryLeaves.emplace(*id, leafOfDictionary(*wanted.back()));
    }
    std::int64_t index = 0;
    std::vector<TableValue> values(wanted.size());
    // Errors of `row` are its own: only what is read of the file gets the file's name.
    const auto reading = [&](const auto& work) {
        try {
            work();
        } catch (const Error& error) {
            rethrow(error);
        }
    };
    for (const auto& message : m_messages) {
        if (message.dictionary) {
            const auto leaf = dictionaryLeaves.find(*message.dictionary);
            if (leaf == dictionaryLeaves.end())
                continue;
            reading([&] {
                auto& dictionary = dictionaries[leaf->first];
                if (!message.isMore)
                    dictionary.clear();
                readDictionary(message.header, message.body, leaf->second, dictionary, dictionaryBytes);
            });
            continue;
        }
        std::vector<ArrowValues> readers;
        std::int64_t rows = 0;
        reading([&] {
            const ArrowBatch batch(rowsOf(message.header, false), message.body);
            rows = batch.rows();
            for (const auto* leaf : wanted)
                readers.emplace_back(batch, *leaf,
                                     leaf->dictionary ? &dictionaries[*leaf->dictionary] : nullptr);
        });
        for (std::int64_t i = 0; i < rows; ++i) {
            reading([&] {
                for (std::size_t c = 0; c < wanted.size(); ++c)
                    values[c] = readers[c].at(i);
            });
            row(index++, values);
        }
    }
}

void ArrowFile::rethrow(const Error& error) const {
    const bool isDamaged = error.code() == "arrow.damaged";
    throw Error(error.code(),
                m_name + (isDamaged ? " is not a usable Arrow file: " : " cannot be read: ") + error.what() +
                    ".",
                {{"file", m_name}});
}

} // namespace headroom
