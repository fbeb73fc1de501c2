// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/corpus/corpus_index.h"

#include "core/tensors/atomic_file.h"
#include "core/tensors/sha256.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <span>
#include <stdexcept>
#include <sys/stat.h>

namespace headroom {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kMagic = "headroom corpus index 2\n", kEnd = "\nend\n";

/// Appends numbers and texts.
class IndexWriter {
public:
    void number(std::int64_t value) {
        char bytes[sizeof value];
        std::memcpy(bytes, &value, sizeof value);
        m_bytes.append(bytes, sizeof value);
    }
    void text(std::string_view value) {
        number(static_cast<std::int64_t>(value.size()));
        m_bytes.append(value);
    }
    /// A path in the folder without the folder, any other as it is.
    void path(const fs::path& value, const std::string& prefix) {
        const std::string& whole = value.native();
        const bool inside = !whole.empty() && whole.starts_with(prefix);
        number(inside);
        text(inside ? std::string_view(whole).substr(prefix.size()) : whole);
    }
    void raw(std::string_view value) { m_bytes.append(value); }
    const std::string& bytes() const { return m_bytes; }

private:
    std::string m_bytes;
};

/// Reads them back. Throws std::runtime_error at the end of a damaged file.
class IndexReader {
public:
    explicit IndexReader(std::string_view bytes) : m_bytes(bytes) {}
    std::string_view raw(std::size_t size) {
        if (size > m_bytes.size() - m_at)
            throw std::runtime_error("an index that is cut short");
        const auto part = m_bytes.substr(m_at, size);
        m_at += size;
        return part;
    }
    std::int64_t number() {
        std::int64_t value = 0;
        std::memcpy(&value, raw(sizeof value).data(), sizeof value);
        return value;
    }
    std::string text() { return std::string(raw(static_cast<std::size_t>(number()))); }
    fs::path path(const std::string& prefix) {
        const bool inside = number() != 0;
        const auto value = raw(static_cast<std::size_t>(number()));
        return inside ? fs::path(prefix + std::string(value)) : fs::path(value);
    }
    /// A number of entries; each has at least one byte, so a damaged number cannot ask for much memory.
    std::size_t count() {
        const std::int64_t value = number();
        if (value < 0 || static_cast<std::size_t>(value) > m_bytes.size())
            throw std::runtime_error("an index with a wrong count");
        return static_cast<std::size_t>(value);
    }

private:
    std::string_view m_bytes;
    std::size_t m_at = 0;
};

std::string prefixOf(const fs::path& folder) {
    std::string prefix = folder.lexically_normal().string();
    if (prefix == ".")
        return {};
    if (!prefix.ends_with('/'))
        prefix += '/';
    return prefix;
}

std::string hashOfFile(const fs::path& file) {
    try {
        return sha256OfFile(file);
    } catch (const Error&) {
        return {};
    }
}

bool stillIs(const CorpusIndex::Source& kept, const fs::path& folder) {
    CorpusIndex::Source now = CorpusIndex::sourceOf(folder, kept.path, kept.isFolder);
    if (now.time == kept.time && now.size == kept.size)
        return true;
    return !kept.isFolder && now.time >= 0 && now.size == kept.size &&
           hashOfFile(folder / kept.path) == kept.hash;
}

std::string wholeFile(const fs::path& file) {
    std::ifstream in(file, std::ios::binary | std::ios::ate);
    if (!in)
        return {};
    std::string bytes(static_cast<std::size_t>(std::max<std::streamoff>(in.tellg(), 0)), '\0');
    in.seekg(0);
    in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return in ? bytes : std::string();
}

void writeTable(IndexWriter& to, const CorpusTable& table, const std::string& prefix) {
    to.text(table.split);
    to.text(table.task);
    to.number(static_cast<std::int64_t>(table.utterances.size()));
    for (const Utterance& one : table.utterances) {
        to.text(one.id);
        to.path(one.audio, prefix);
        to.number(one.frames ? one.frames->value() : -1);
        to.text(one.text);
        to.text(one.sourceText);
        to.text(one.speaker);
        to.path(one.alignment, prefix);
    }
}

CorpusTable readIndexedTable(IndexReader& from, const std::string& prefix) {
    CorpusTable table;
    table.split = from.text();
    table.task = from.text();
    table.utterances.resize(from.count());
    for (Utterance& one : table.utterances) {
        one.id = from.text();
        one.audio = from.path(prefix);
        if (const auto frames = from.number(); frames >= 0)
            one.frames = Frames(frames);
        one.text = from.text();
        one.sourceText = from.text();
        one.speaker = from.text();
        one.alignment = from.path(prefix);
    }
    return table;
}

CorpusIndex readIndexed(IndexReader& from, const std::string& prefix) {
    CorpusIndex index;
    index.splits.resize(from.count());
    for (std::string& split : index.splits)
        split = from.text();
    index.tasks.resize(from.count());
    for (CorpusTask& task : index.tasks) {
        task.name = from.text();
        task.source = from.text();
        task.target = from.text();
        task.isText = from.number() != 0;
    }
    const std::size_t tables = from.count();
    for (std::size_t i = 0; i < tables; ++i)
        index.tables.push_back(readIndexedTable(from, prefix));
    index.problems.resize(from.count());
    for (CorpusProblem& problem : index.problems) {
        problem.code = from.text();
        problem.sentence = from.text();
        problem.file = from.text();
        problem.line = static_cast<int>(from.number());
        problem.leftOut = from.number() != 0;
    }
    if (from.raw(kEnd.size()) != kEnd)
        throw std::runtime_error("an index without its end");
    return index;
}

} // namespace

fs::path CorpusIndex::fileFor(const fs::path& folder) {
    const char* cache = std::getenv("XDG_CACHE_HOME");
    const char* home = std::getenv("HOME");
    const fs::path base = cache && *cache ? fs::path(cache)
                          : home && *home ? fs::path(home) / ".cache"
                                          : fs::path();
    std::error_code error;
    const std::string name = fs::weakly_canonical(folder, error).string();
    if (base.empty() || error)
        return {};
    return base / "headroom" / "corpora" /
           (sha256OfBytes(std::as_bytes(std::span(name.data(), name.size()))) + ".index");
}

CorpusIndex::Source CorpusIndex::sourceOf(const fs::path& folder, const std::string& relative,
                                          bool isFolder) {
    Source source{relative, isFolder, 0, -1, {}};
    struct stat about {};
    if (::stat((folder / relative).c_str(), &about) != 0)
        return source;
    source.size = isFolder ? 0 : static_cast<std::int64_t>(about.st_size);
    source.time = static_cast<std::int64_t>(about.st_mtim.tv_sec) * 1'000'000'000 + about.st_mtim.tv_nsec;
    return source;
}

std::optional<CorpusIndex> CorpusIndex::read(const fs::path& file, const fs::path& folder) {
    std::error_code ignored;
    if (file.empty() || !fs::is_regular_file(file, ignored))
        return std::nullopt;
    const std::string bytes = wholeFile(file);
    IndexReader from(bytes);
    try {
        if (from.raw(kMagic.size()) != kMagic)
            return std::nullopt;
        std::vector<Source> sources(from.count());
        bool touched = false;
        for (Source& source : sources) {
            source.path = from.text();
            source.isFolder = from.number() != 0;
            source.size = from.number();
            source.time = from.number();
            source.hash = from.text();
            if (!stillIs(source, folder))
                return std::nullopt;
            touched = touched || sourceOf(folder, source.path, source.isFolder).time != source.time;
        }
        CorpusIndex index = readIndexed(from, prefixOf(folder));
        index.sources = std::move(sources);
        if (touched) { // so that the next time no file is hashed
            for (Source& source : index.sources)
                source.time = sourceOf(folder, source.path, source.isFolder).time;
            index.write(file, folder);
        }
        return index;
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

bool CorpusIndex::write(const fs::path& file, const fs::path& folder) const {
    if (file.empty())
        return false;
    const std::string prefix = prefixOf(folder);
    IndexWriter to;
    to.raw(kMagic);
    to.number(static_cast<std::int64_t>(sources.size()));
    for (const Source& source : sources) {
        to.text(source.path);
        to.number(source.isFolder);
        to.number(source.size);
        to.number(source.time);
        // What changed since it was read has no hash, so that this index does not count.
        const bool same = sourceOf(folder, source.path, source.isFolder).time == source.time;
        to.text(source.hash.empty() && !source.isFolder && source.time >= 0 && same
                    ? hashOfFile(folder / source.path)
                    : source.hash);
    }
    to.number(static_cast<std::int64_t>(splits.size()));
    for (const std::string& split : splits)
        to.text(split);
    to.number(static_cast<std::int64_t>(tasks.size()));
    for (const CorpusTask& task : tasks) {
        to.text(task.name);
        to.text(task.source);
        to.text(task.target);
        to.number(task.isText);
    }
    to.number(static_cast<std::int64_t>(tables.size()));
    for (const CorpusTable& table : tables)
        writeTable(to, table, prefix);
    to.number(static_cast<std::int64_t>(problems.size()));
    for (const CorpusProblem& problem : problems) {
        to.text(problem.code);
        to.text(problem.sentence);
        to.text(problem.file);
        to.number(problem.line);
        to.number(problem.leftOut);
    }
    to.raw(kEnd);
    try {
        std::error_code ignored;
        fs::create_directories(file.parent_path(), ignored);
        writeAtomically(file, std::string_view(to.bytes()), "corpus.unwritable");
    } catch (const Error&) {
        return false;
    }
    return true;
}

} // namespace headroom
