// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/runs/events.h"

#include <string_view>

namespace headroom {

/// Follows an events.jsonl that grows and keeps its curves: EventFollower and RunCurves::add() in one, many
/// times faster, because lines as EventWriter writes them (flat objects, plain strings) are read where they
/// stand. Every other line goes through the parser, so the curves are the same. Any number of readers, in any
/// process; one thread each.
class CurveReader {
public:
    explicit CurveReader(std::filesystem::path file) : m_file(std::move(file)) {}

    /// Takes in what came since the last call and gives its number of events; a last line without its end
    /// waits. A file that is not there has no events.
    std::int64_t poll();
    const RunCurves& curves() const { return m_curves; }
    std::int64_t badLines() const { return m_badLines; } ///< that are not JSON objects; passed over

private:
    struct Field {
        std::string_view key;
        enum class Kind { Number, Whole, Text, Other } kind = Kind::Other;
        double number = 0;
        std::int64_t whole = 0;
        std::string_view text;
    };
    /// False where the line is anything but a flat object without escapes.
    bool split(std::string_view line);
    void takeFields();
    std::vector<RunCurves::Point>& seriesOf(std::size_t place, bool isValidation, std::string_view key);
    std::string newBytes();

    std::filesystem::path m_file;
    std::uintmax_t m_offset = 0;
    std::int64_t m_badLines = 0;
    RunCurves m_curves;
    std::vector<Field> m_fields; ///< of the line being read
    /// Lines of one kind have the same keys in the same places: where the value at a place went last time.
    struct Known {
        std::string key;
        std::vector<RunCurves::Point>* points = nullptr;
    };
    std::vector<Known> m_known[2];
};

} // namespace headroom
