// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/alignment/readers.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

// What the readers of lists share. Internal to core/alignment.
namespace headroom {

/// The lines of a text with LF; a last one without an end counts. Borrows the text.
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
/// Between blanks and tabs; no empty ones.
std::vector<std::string_view> splitAtBlanks(std::string_view text);
std::string_view trimmed(std::string_view text);
/// A whole, finite number; nothing otherwise. −0 is 0.
std::optional<double> finiteNumber(std::string_view text);
/// Throws Error `code`: not there, no file, not readable.
std::string bytesOf(const std::filesystem::path& file, const std::string& code);

/// Throws Error `code` with file, line and reason.
[[noreturn]] void refuseLine(const std::string& code, const std::string& name, std::size_t line,
                             const std::string& reason);

/// Collects the spans of one tier of one utterance in the order of the file.
class TierRows {
public:
    void add(Seconds start, Seconds end, std::string label, std::size_t line);
    bool empty() const { return m_rows.empty(); }
    bool looksLikePhones() const; ///< nine labels of ten are phones of a map that comes along
    /// In the order of time. A span that ends before it begins, or that begins before the one before it ends
    /// (by more than 1 ms), becomes `listed.error`; rows in another order a warning.
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
/// Whether the first line that says something is one of that format.
bool looksLikeTable(std::string_view text);
bool looksLikeCtm(std::string_view text);
bool looksLikeLibriSpeech(std::string_view text);
bool looksLikeTimit(std::string_view text);

/// Cuts both tiers as alignmentFrom says and fills spokenEnd.
void cutTo(Alignment& alignment, Seconds duration, const std::string& name);

/// Words or phones by the file's name; nothing where it does not say.
std::optional<bool> holdsPhones(const std::string& name);

} // namespace headroom
