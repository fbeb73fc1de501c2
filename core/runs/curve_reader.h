// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/runs/events.h"

#include <string_view>

namespace headroom {

/// Follows a growing events.jsonl and keeps its curves. Equivalent to EventFollower with RunCurves::add(),
/// but many times faster, because lines as written by EventWriter (flat objects, plain strings) are parsed in
/// place. All other lines go through the parser, so the curves are the same. Any number of readers, in any
/// process; one thread each.
class CurveReader {
public:
    explicit CurveReader(std::filesystem::path file) : m_file(std::move(file)) {}

    /// Reads what was added since the last call and returns its number of events. An incomplete last line
    /// waits. A missing file has no events.
    std::int64_t poll();
    const RunCurves& curves() const { return m_curves; }
    std::int64_t badLines() const { return m_badLines; } ///< lines that are not JSON objects; ignored

private:
    struct Field {
        std::string_view key;
        enum class Kind { Number, Whole, Text, Other } kind = Kind::Other;
        double number = 0;
        std::int64_t whole = 0;
        std::string_view text;
    };
    /// Returns false if the line is not a flat object without escapes.
    bool split(std::string_view line);
    void takeFields();
    std::vector<RunCurves::Point>& seriesOf(std::size_t place, bool isValidation, std::string_view key);
    std::string newBytes();

    std::filesystem::path m_file;
    std::uintmax_t m_offset = 0;
    std::int64_t m_badLines = 0;
    RunCurves m_curves;
    std::vector<Field> m_fields; ///< of the line being read
    /// Lines of one kind have the same keys at the same positions: where the value at each position went last
    /// time.
    struct Known {
        std::string key;
        std::vector<RunCurves::Point>* points = nullptr;
    };
    std::vector<Known> m_known[2];
};

} // namespace headroom
