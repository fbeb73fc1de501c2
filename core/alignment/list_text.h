// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/alignment/readers.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Helpers shared by the readers of lists. Internal to core/alignment.
namespace headroom {

/// The lines of a text with LF; the last line needs no line end. Borrows the text.
class TextLines {
public:
    explicit TextLines(std::string_view text) : m_text(text) {}
    struct Line {
        std::string_view text;
        std::size_t number; ///< from 1
    };
    std::optional<Line> next();

private:
    std::string_view m_text;
    std::size_t m_at = 0, m_number = 0;
};

std::vector<std::string_view> splitAt(std::string_view text, char separator);
/// Splits at spaces and tabs; drops empty parts.
std::vector<std::string_view> splitAtBlanks(std::string_view text);
std::string_view trimmed(std::string_view text);
/// Parses a whole, finite number; `nullopt` otherwise. −0 becomes 0.
std::optional<double> finiteNumber(std::string_view text);
/// Returns the bytes of a file. Throws Error `code` if it is missing, not a file, or unreadable.
std::string bytesOf(const std::filesystem::path& file, const std::string& code);

/// Throws Error `code` with file, line and reason.
[[noreturn]] void refuseLine(const std::string& code, const std::string& name, std::size_t line,
                             const std::string& reason);

/// Collects the intervals of one tier of one utterance in file order.
class TierRows {
public:
    void add(Seconds start, Seconds end, std::string label, std::size_t line);
    bool empty() const { return m_rows.empty(); }
    bool looksLikePhones() const; ///< nine of ten labels are phones of an included map
    /// Returns the intervals ordered by time. An interval that ends before it starts, or that starts more
    /// than 1 ms before the previous one ends, becomes `listed.error`; unsorted rows give a warning.
    std::vector<Interval> take(ListedAlignment& listed, const std::string& name,
                               const std::string& utterance);

private:
    struct Row {
        Interval interval;
        std::size_t line;
    };
    std::vector<Row> m_rows;
};

AlignmentList parseCtm(std::string_view text, const std::string& name);
AlignmentList parseTable(std::string_view text, const std::string& name);
AlignmentList parseLibriSpeech(std::string_view text, const std::string& name);
AlignmentList parseTimit(std::string_view text, const std::string& name);
/// Returns whether the first meaningful line has that format.
bool looksLikeTable(std::string_view text);
bool looksLikeCtm(std::string_view text);
bool looksLikeLibriSpeech(std::string_view text);
bool looksLikeTimit(std::string_view text);

/// Cuts both tiers as documented for alignmentFrom, and sets spokenEnd.
void cutTo(Alignment& alignment, Seconds duration, const std::string& name);

/// Returns whether a file name says phones (true) or words (false); `nullopt` if neither.
std::optional<bool> holdsPhones(const std::string& name);

} // namespace headroom
