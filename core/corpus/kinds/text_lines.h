// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headroom {

/// Reads a text file line by line, plain or gzip. LF and CRLF end a line; a byte order mark is skipped.
/// Memory is that of the longest line. One thread.
///
/// Throws Error: "corpus.missingTable", "corpus.emptyFile" (0 bytes), "corpus.cutShort" (gzip that ends
/// early), "corpus.badText" (UTF-16), "corpus.longLine" (over 32 MB, as in one JSON document of a whole
/// corpus). Their value "problem" is the sentence without the file's name and its full stop: " is not there".
class LineReader {
public:
    explicit LineReader(const std::filesystem::path& file);
    ~LineReader();
    LineReader(const LineReader&) = delete;
    LineReader& operator=(const LineReader&) = delete;

    /// Returns false at the end.
    bool next(std::string& line);
    int number() const { return m_number; } ///< of the last line, from 1

private:
    bool fill();
    [[noreturn]] void fail(const char* code, const std::string& what) const;

    struct Stream;
    std::string m_name;
    std::unique_ptr<Stream> m_stream;
    std::vector<char> m_buffer;
    std::size_t m_at = 0, m_end = 0;
    int m_number = 0;
};

/// Returns the text between the first and the last character that is neither blank nor tab.
std::string_view trimmedText(std::string_view text);
/// Splits at runs of blanks and tabs.
std::vector<std::string> wordsOfLine(std::string_view line);
/// Splits off the first word: "ID the rest" → {"ID", "the rest"}.
std::pair<std::string, std::string> firstWord(std::string_view line);
/// Returns the text in lower case, by Unicode; as it is if it is not UTF-8.
std::string inLowercase(const std::string& text);
/// Reads a decimal number of seconds; `nullopt` if it is not one.
std::optional<double> decimalNumber(std::string_view text);

} // namespace headroom
