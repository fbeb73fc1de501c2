// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

/// Reads tab-separated text as written by fairseq (Python's csv with QUOTE_NONE and the escape character
/// '\'). A quotation mark is an ordinary character. A backslash escapes a tab, a line break or a backslash,
/// and is literal before anything else. LF and CRLF end a line. A byte order mark and empty lines are
/// skipped. One thread.
class TabSeparatedReader {
public:
    struct Row {
        int line; ///< from 1, where the row begins
        std::vector<std::string> fields;
    };
    explicit TabSeparatedReader(std::string_view text);
    std::optional<Row> next();

private:
    std::string_view m_text;
    std::size_t m_at = 0;
    int m_line = 1;
};

/// Returns one line with its end; '\', tab and line breaks are escaped by a backslash.
std::string tabSeparatedLine(const std::vector<std::string>& fields);

/// Returns true for well-formed UTF-8 without NUL.
bool isText(std::string_view bytes);

} // namespace headroom
