// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/curve_reader.h"

#include <charconv>
#include <cstdio>
#include <sys/stat.h>

namespace headroom {

using nlohmann::json;

namespace {

/// A place in a line; reads one token at a time. Whatever it does not know makes it fail, never guess.
struct Cursor {
    const char* at;
    const char* end;

    void skipSpace() {
        while (at < end && (*at == ' ' || *at == '\t' || *at == '\r'))
            ++at;
    }
    bool take(char wanted) {
        skipSpace();
        if (at == end || *at != wanted)
            return false;
        ++at;
        return true;
    }
    /// Printable ASCII without escapes: what needs no decoding.
    bool text(std::string_view& value) {
        if (!take('"'))
            return false;
        const char* start = at;
        while (at < end && *at != '"' && *at != '\\' && *at >= ' ' && *at <= '~')
            ++at;
        value = {start, static_cast<std::size_t>(at - start)};
        return at < end && *at++ == '"';
    }
    bool digits() {
        const char* start = at;
        while (at < end && *at >= '0' && *at <= '9')
            ++at;
        return at > start;
    }
    /// JSON's numbers and no others.
    bool number(double& value, std::int64_t& whole, bool& isWhole) {
        const char* start = at;
        if (at < end && *at == '-')
            ++at;
        const bool zero = at < end && *at == '0';
        const char* first = at;
        if (!digits() || (zero && at - first > 1))
            return false;
        isWhole = true;
        if (at < end && *at == '.') {
            isWhole = false;
            ++at;
            if (!digits())
                return false;
        }
        if (at < end && (*at == 'e' || *at == 'E')) {
            isWhole = false;
            ++at;
            if (at < end && (*at == '+' || *at == '-'))
                ++at;
            if (!digits())
                return false;
        }
        const auto fits = [this](std::from_chars_result result) {
            return result.ec == std::errc() && result.ptr == at;
        };
        if (isWhole && !fits(std::from_chars(start, at, whole)))
            return false; // larger than 64 bits
        return fits(std::from_chars(start, at, value));
    }
    bool word(std::string_view wanted) {
        if (std::string_view(at, static_cast<std::size_t>(end - at)).substr(0, wanted.size()) != wanted)
            return false;
        at += wanted.size();
        return true;
    }
};

} // namespace

std::string CurveReader::newBytes() {
    std::string bytes;
    std::FILE* stream = std::fopen(m_file.c_str(), "rbe");
    if (!stream)
        return bytes;
    struct stat about {};
    if (::fstat(::fileno(stream), &about) == 0 && static_cast<std::uintmax_t>(about.st_size) > m_offset &&
        ::fseeko(stream, static_cast<off_t>(m_offset), SEEK_SET) == 0) {
        bytes.resize(static_cast<std::size_t>(static_cast<std::uintmax_t>(about.st_size) - m_offset));
        bytes.resize(std::fread(bytes.data(), 1, bytes.size(), stream));
    }
    std::fclose(stream);
    return bytes;
}

bool CurveReader::split(std::string_view line) {
    m_fields.clear();
    Cursor cursor{line.data(), line.data() + line.size()};
    if (!cursor.take('{'))
        return false;
    if (!cursor.take('}')) {
        do {
            Field field;
            if (!cursor.text(field.key) || !cursor.take(':'))
                return false;
            cursor.skipSpace();
            bool isWhole = false;
            const char first = cursor.at < cursor.end ? *cursor.at : '\0';
            if (first == '"') {
                field.kind = Field::Kind::Text;
                if (!cursor.text(field.text))
                    return false;
            } else if (first == '-' || (first >= '0' && first <= '9')) {
                if (!cursor.number(field.number, field.whole, isWhole))
                    return false;
                field.kind = isWhole ? Field::Kind::Whole : Field::Kind::Number;
            } else if (!cursor.word("null") && !cursor.word("true") && !cursor.word("false")) {
                return false; // nested, or no JSON
            }
            m_fields.push_back(field);
        } while (cursor.take(','));
        if (!cursor.take('}'))
            return false;
    }
    cursor.skipSpace();
    return cursor.at == cursor.end;
}

std::vector<RunCurves::Point>& CurveReader::seriesOf(std::size_t place, bool isValidation,
                                                     std::string_view key) {
    auto& known = m_known[isValidation ? 1 : 0];
    if (place >= known.size())
        known.resize(place + 1);
    Known& last = known[place];
    if (!last.points || last.key != key) {
        last.key = key;
        // The nodes of a map stay where they are.
        last.points = &m_curves.m_series[isValidation ? "validation." + last.key : last.key];
    }
    return *last.points;
}

/// What RunCurves::add() does with a parsed event.
void CurveReader::takeFields() {
    std::string_view event;
    const Field* update = nullptr;
    double time = 0;
    for (const Field& field : m_fields) { // where a key stands twice the last counts
        const bool isNumber = field.kind == Field::Kind::Number || field.kind == Field::Kind::Whole;
        if (field.key == "event")
            event = field.kind == Field::Kind::Text ? field.text : std::string_view();
        else if (field.key == "update")
            update = field.kind == Field::Kind::Whole ? &field : nullptr;
        else if (field.key == "time")
            time = isNumber ? field.number : 0;
    }
    if (!update)
        return;
    m_curves.keepClock(event, update->whole, time);
    const bool isValidation = event == "validation";
    if (event != "step" && !isValidation)
        return;
    for (std::size_t place = 0; place < m_fields.size(); ++place) {
        const Field& field = m_fields[place];
        if ((field.kind != Field::Kind::Number && field.kind != Field::Kind::Whole) ||
            field.key == "update" || field.key == "time")
            continue;
        auto& points = seriesOf(place, isValidation, field.key);
        RunCurves::dropFrom(points, update->whole);
        points.push_back({update->whole, field.number, time - m_curves.m_stopped});
    }
}

std::int64_t CurveReader::poll() {
    const std::string bytes = newBytes();
    std::int64_t events = 0;
    std::size_t start = 0;
    for (std::size_t end; (end = bytes.find('\n', start)) != std::string::npos; start = end + 1) {
        const std::string_view line(bytes.data() + start, end - start);
        if (split(line)) {
            takeFields();
            ++events;
            continue;
        }
        const auto event = json::parse(line, nullptr, false);
        if (event.is_object()) {
            m_curves.add(event);
            ++events;
        } else if (!line.empty()) {
            ++m_badLines;
        }
    }
    m_offset += start;
    return events;
}

} // namespace headroom
