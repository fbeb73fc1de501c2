// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/arrow/arrow_file.h"
#include "core/corpus/kinds/column_row.h"
#include "core/corpus/kinds/shard_names.h"
#include "core/errors/count_text.h"
#include "core/errors/display_name.h"
#include "core/parquet/parquet_file.h"

#include <algorithm>
#include <deque>
#include <fstream>
#include <optional>
#include <variant>

namespace headroom {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kBytes = ".bytes", kPath = ".path";

std::string megabytes(std::int64_t bytes) {
    return grouped((bytes + 999'999) / 1'000'000) + " MB";
}

/// A file of rows with named columns: Parquet or Arrow, by its ending.
class ShardFile {
public:
    explicit ShardFile(const fs::path& file) : m_file(opened(file)) {}
    const std::vector<TableColumn>& columns() const {
        return std::visit([](const auto& whole) -> const std::vector<TableColumn>& { return whole.columns(); }, m_file);
    }
    bool has(std::string_view column) const {
        return std::visit([&](const auto& whole) { return whole.has(column); }, m_file);
    }
    void eachRow(const std::vector<std::string>& columns, const TableRow& row) const {
        std::visit([&](const auto& whole) { whole.eachRow(columns, row); }, m_file);
    }

private:
    using File = std::variant<ParquetFile, ArrowFile>;
    static File opened(const fs::path& file) {
        return isParquet(file) ? File(std::in_place_type<ParquetFile>, file)
                               : File(std::in_place_type<ArrowFile>, file);
    }
    File m_file;
};

/// The column of recordings: a struct of “bytes” and “path”, as the library datasets writes audio. Usual
/// names go first.
std::optional<std::string> recordingsOf(const ShardFile& shard) {
    std::optional<std::string> found;
    for (const auto& column : shard.columns())
        if (column.isRead && column.name.ends_with(kBytes)) {
            const auto name = column.name.substr(0, column.name.size() - kBytes.size());
            const bool isUsual =
                std::find(kAudioColumns.begin(), kAudioColumns.end(), name) != kAudioColumns.end();
            if (isUsual || !found)
                found = name;
            if (isUsual)
                break;
        }
    return found;
}

/// The ending that a recording's first bytes call for; “.bin” for none that is known.
const char* endingOf(std::string_view bytes) {
    if (bytes.starts_with("fLaC"))
        return ".flac";
    if (bytes.starts_with("OggS"))
        return ".ogg";
    if (bytes.starts_with("FORM"))
        return ".aiff";
    if (bytes.starts_with("RIFF") || bytes.starts_with("RF64"))
        return ".wav";
    const bool isFrame = bytes.size() > 1 && bytes[0] == '\xff' && (bytes[1] & 0xe0) == 0xe0;
    return bytes.starts_with("ID3") || isFrame ? ".mp3" : ".bin";
}

/// A name that every file system takes, and that no table reads as a part of a file.
std::string fileNameOf(std::string_view path, const std::string& otherwise) {
    std::string name = fs::path(path).stem().string();
    for (char& c : name)
        if (static_cast<unsigned char>(c) < 0x21 || c == ':' || c == '\\' || c == '/')
            c = '_';
    while (name.starts_with('.'))
        name.erase(0, 1);
    return name.empty() || name.size() > 150 ? otherwise : name;
}

class ShardReader {
public:
    ShardReader(SourceReading& reading, const fs::path& file)
        : m_reading(reading)
        , m_file(file)
        , m_shard(file)
        , m_split(splitOfShard(file, reading.folder()))
        , m_audio(recordingsOf(m_shard)) {}

    std::int64_t packedRecordings() const {
        for (const auto& column : m_shard.columns())
            if (m_audio && column.name == *m_audio + std::string(kBytes))
                return column.packedBytes;
        return 0;
    }
    bool isWanted() const { return m_reading.request().splits.empty() || m_reading.isAsked(m_split); }

    /// Writes the recordings out and adds the utterances. Returns how many recordings were written.
    std::int64_t read() {
        if (!m_audio) {
            m_reading.problem("corpus.noColumn", {m_reading.relativeName(m_file), 0}, {},
                              "no column holds recordings (a struct of bytes and path, as the library "
                              "datasets writes them)");
            return 0;
        }
        std::vector<std::string> columns{*m_audio + std::string(kBytes)};
        if (m_shard.has(*m_audio + std::string(kPath)))
            columns.push_back(*m_audio + std::string(kPath));
        const bool hasPath = columns.size() > 1;
        for (const auto& column : m_shard.columns())
            if (column.isRead && column.name.find('.') == std::string::npos)
                columns.push_back(column.name);
        std::int64_t written = 0;
        m_shard.eachRow(
            columns, [&](std::int64_t row, const std::vector<TableValue>& values) {
                const auto path = hasPath ? values[1].value_or("") : std::string_view();
                const auto stem = fileNameOf(path, m_file.stem().string() + "-" + std::to_string(row));
                std::string recording(path);
                if (values[0]) {
                    recording = write(*values[0], stem, row);
                    ++written;
                }
                const auto field = [&](std::initializer_list<const char*> wanted) {
                    if (wanted.begin() == kAudioColumns.begin())
                        return recording;
                    for (const char* name : wanted)
                        for (std::size_t c = 1 + hasPath; c < columns.size(); ++c)
                            if (columns[c] == name && values[c])
                                return std::string(*values[c]);
                    return *wanted.begin() == std::string_view("id") ? stem : std::string();
                };
                addColumnRow(m_reading, field, m_file.parent_path(), m_split,
                             {m_reading.relativeName(m_file), static_cast<int>(row + 1)});
            });
        return written;
    }

private:
    std::string write(std::string_view bytes, const std::string& stem, std::int64_t row) {
        const auto folder = m_reading.unpackedFolder() / m_split;
        fs::create_directories(folder);
        auto file = folder / (stem + endingOf(bytes));
        if (fs::exists(file)) // another recording of this name
            file =
                folder / (stem + "-" + m_file.stem().string() + "-" + std::to_string(row) + endingOf(bytes));
        std::ofstream out(file, std::ios::binary);
        out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        out.close();
        if (!out)
            throw Error("corpus.unwritable", displayName(file) + " could not be written. Is the disk full?",
                        {{"file", displayName(file)}});
        return file.string();
    }

    SourceReading& m_reading;
    fs::path m_file;
    ShardFile m_shard;
    std::string m_split;
    std::optional<std::string> m_audio;
};

void refuseWithoutCopy(const SourceReading& reading, std::int64_t bytes, const std::string& format) {
    const auto size = megabytes(bytes);
    if (!reading.request().copy)
        throw Error("corpus." + lowered(format),
                    displayName(reading.folder()) + " keeps its recordings inside " + format + " files (" +
                        size + "). Use --copy to write them into the new corpus.",
                    {{"file", displayName(reading.folder())}, {"bytes", bytes}});
    std::error_code error;
    const auto home = fs::absolute(reading.request().out).parent_path();
    const auto free = fs::space(home, error).available;
    if (!error && free < static_cast<std::uintmax_t>(bytes))
        throw Error("corpus.unwritable",
                    "The recordings of " + displayName(reading.folder()) + " take " + size + ", but only " +
                        megabytes(static_cast<std::int64_t>(free)) + " are free at " + displayName(home) +
                        ".",
                    {{"bytes", bytes}, {"free", free}});
}

/// What was not downloaded: the others are read, and nobody takes them for the whole.
void tellMissing(SourceReading& reading, const std::vector<fs::path>& files) {
    constexpr const char* kCode = "corpus.missingShard";
    for (const MissingShards& one : missingShards(files, reading.folder()))
        if (reading.request().splits.empty() || reading.isAsked(one.split))
            reading.problem(kCode, {reading.relativeName(one.first), 0}, {},
                            "this file is missing; " + counted(static_cast<std::int64_t>(one.missing), "file") + " of " +
                                grouped(static_cast<std::int64_t>(one.of)) + (one.missing == 1 ? " is" : " are") +
                                " missing from “" + one.split + "”");
}

/// Writes the recordings of all shards out. Every shard is opened once.
void readShards(SourceReading& reading, const std::vector<fs::path>& files, const std::string& format) {
    tellMissing(reading, files);
    std::deque<ShardReader> shards;
    std::int64_t bytes = 0, written = 0;
    for (const auto& file : files)
        if (!shards.emplace_back(reading, file).isWanted())
            shards.pop_back();
        else
            bytes += shards.back().packedRecordings();
    if (bytes > 0) // else the recordings are files, which are read in place
        refuseWithoutCopy(reading, bytes, format);
    for (auto& shard : shards)
        written += shard.read();
    if (written > 0)
        reading.note(counted(written, "recording") + (written == 1 ? " was" : " were") + " taken out of " +
                     counted(static_cast<std::int64_t>(shards.size()), format + " file") + ".");
}

} // namespace

bool looksLikeParquet(const fs::path& folder) {
    return !filesBelow(folder, 3, 3000, isParquet).empty();
}

bool looksLikeArrow(const fs::path& folder) {
    return !filesBelow(folder, 3, 3000, isArrow).empty();
}

void readParquet(SourceReading& reading) {
    readShards(reading, filesBelow(reading.folder(), 3, kEveryFile, isParquet), "Parquet");
}

void readArrow(SourceReading& reading) {
    readShards(reading, filesBelow(reading.folder(), 3, kEveryFile, isArrow), "Arrow");
}

} // namespace headroom
