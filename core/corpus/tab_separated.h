// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

/// Tab-separated text as fairseq writes it (Python's csv with QUOTE_NONE and the escape character '\'): a
/// quotation mark is a letter like any other; a backslash before a tab, a line break or a backslash takes it
/// literally, and before anything else stands for itself. LF and CRLF end a line; a byte order mark is passed
/// over; empty lines too. One thread.
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

/// One line with its end; '\', tab and line breaks get a backslash in front.
std::string tabSeparatedLine(const std::vector<std::string>& fields);

/// True for well-formed UTF-8 without NUL.
bool isText(std::string_view bytes);

} // namespace headroom
