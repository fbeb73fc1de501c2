// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/corpus/kinds/source_reading.h"

#include "core/audio/sound_endings.h"
#include "core/corpus/kinds/text_lines.h"
#include "core/corpus/tab_separated.h"
#include "core/errors/display_name.h"
#include "core/errors/error.h"
#include "core/errors/whole_path.h"

#include <algorithm>

namespace headroom {

namespace fs = std::filesystem;

SourceReading::~SourceReading() {
    std::error_code ignored;
    if (!m_unpacked.empty())
        fs::remove_all(m_unpacked, ignored);
}

const fs::path& SourceReading::unpackedFolder() {
    if (m_unpacked.empty()) {
        const auto whole = wholePath(m_request.out);
        const auto folder = whole.parent_path() / ("." + whole.filename().string() + ".unpacked");
        fs::remove_all(folder);
        fs::create_directories(folder);
        m_unpacked = folder;
    }
    return m_unpacked;
}

std::string SourceReading::language() const {
    const std::string& named = m_request.language.empty() ? m_language : m_request.language;
    return named.empty() ? "und" : named;
}

void SourceReading::problem(const std::string& code, const SourcePlace& place, const std::string& id,
                            const std::string& what, bool leftOut) {
    std::string sentence = validText(place.file);
    if (place.line > 0)
        sentence += ", line " + std::to_string(place.line);
    if (!id.empty())
        sentence += ", " + validText(id);
    m_problems.push_back({code, sentence + ": " + validText(what) + ".", place.file, place.line, leftOut});
}

fs::path SourceReading::audioPath(const std::string& named, const fs::path& base) const {
    std::string path = named;
    for (const auto& [old, replacement] : m_request.maps)
        if (path.starts_with(old)) {
            path = replacement + path.substr(old.size());
            if (named.find('/') == std::string::npos && named.size() > 2 && named[1] == ':') // C:\data\a.wav
                std::replace(path.begin(), path.end(), '\\', '/');
            break;
        }
    const fs::path file(path);
    return (file.is_absolute() ? file : base / file).lexically_normal();
}

bool SourceReading::isFile(const fs::path& file) const {
    const auto parent = file.parent_path();
    const auto [entry, fresh] = m_listed.try_emplace(parent.string());
    std::error_code error;
    if (fresh)
        for (fs::directory_iterator at(parent, error), end; !error && at != end; at.increment(error)) {
            std::error_code ignored;
            if (at->is_regular_file(ignored))
                entry->second.insert(at->path().filename().string());
        }
    return entry->second.contains(file.filename().string());
}

std::string SourceReading::relativeName(const fs::path& file) const {
    const auto relative = file.lexically_normal().lexically_relative(folder().lexically_normal());
    return relative.empty() || *relative.begin() == ".." ? file.string() : relative.generic_string();
}

bool SourceReading::isAsked(const std::string& split) const {
    return std::any_of(m_request.splits.begin(), m_request.splits.end(), [&](const auto& made) {
        return std::find(made.second.begin(), made.second.end(), split) != made.second.end();
    });
}

std::string SourceReading::segmentId(const SourceUtterance& segment, const std::string& name) {
    const double start = segment.part ? static_cast<double>(segment.part->start) : segment.start.value_or(Seconds(0)).value();
    const double length = segment.part ? static_cast<double>(segment.part->count) : segment.duration.value_or(Seconds(-1)).value();
    auto& known = m_segments[segment.split + "\n" + segment.audio.string()];
    return name + "_" + std::to_string(known.try_emplace({start, length}, known.size()).first->second);
}

bool SourceReading::eachLine(const fs::path& file,
                             const std::function<void(const std::string&, const SourcePlace&)>& line) {
    const std::string name = relativeName(file);
    try {
        LineReader reader(file);
        std::string text;
        while (reader.next(text)) {
            if (trimmedText(text).empty())
                continue;
            const SourcePlace place{name, reader.number()};
            if (isText(text))
                line(text, place);
            else
                problem("corpus.badText", place, {}, "this is not UTF-8");
        }
        return true;
    } catch (const Error& error) {
        std::string what = error.what();
        what.pop_back(); // its full stop
        problem(error.code(), {name, 0}, {}, what);
        return false;
    }
}

std::vector<std::string> SourceReading::alignedLines(const fs::path& file) {
    const std::string name = relativeName(file);
    std::vector<std::string> lines;
    LineReader reader(file);
    for (std::string text; reader.next(text);) {
        if (!isText(text)) {
            problem("corpus.badText", {name, reader.number()}, {}, "this is not UTF-8", false);
            text.clear();
        }
        lines.emplace_back(trimmedText(text));
    }
    return lines;
}

std::vector<fs::path> filesBelow(const fs::path& folder, int depth, std::size_t limit,
                                 const std::function<bool(const fs::path&)>& wanted) {
    std::vector<fs::path> found;
    std::error_code error;
    std::size_t seen = 0;
    fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, error), end;
    for (; !error && at != end && seen < limit; at.increment(error), ++seen) {
        std::error_code ignored;
        if (at->is_directory(ignored)) {
            if (at.depth() >= depth)
                at.disable_recursion_pending();
        } else if (wanted(at->path())) {
            found.push_back(at->path());
        }
    }
    std::sort(found.begin(), found.end());
    return found;
}

std::vector<fs::path> foldersIn(const fs::path& folder) {
    std::vector<fs::path> found;
    std::error_code error, ignored;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
        if (at->is_directory(ignored))
            found.push_back(at->path());
    std::sort(found.begin(), found.end());
    return found;
}

std::string lowered(std::string name) {
    std::transform(name.begin(), name.end(), name.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    return name;
}

fs::path soundWithStem(const SourceReading& reading, const fs::path& stem) {
    if (auto found = soundOfStem(stem, [&](const fs::path& file) { return reading.isFile(file); }); !found.empty())
        return found;
    auto first = stem;
    first += kSoundEndings.front();
    return first;
}

} // namespace headroom
