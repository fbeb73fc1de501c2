// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/corpus/tab_separated.h"

#include "core/errors/utf8.h"

namespace headroom {

namespace {

/// Neither ends nor escapes anything.
bool isOrdinary(char c) { return c != '\\' && c != '\t' && c != '\n' && c != '\r'; }

} // namespace

TabSeparatedReader::TabSeparatedReader(std::string_view text) : m_text(text) {
    if (m_text.starts_with("\xEF\xBB\xBF"))
        m_text.remove_prefix(3);
}

std::optional<TabSeparatedReader::Row> TabSeparatedReader::next() {
    while (m_at < m_text.size()) {
        Row row{m_line, {std::string()}};
        bool ended = false;
        while (m_at < m_text.size() && !ended) {
            const std::size_t begin = m_at;
            while (m_at < m_text.size() && isOrdinary(m_text[m_at]))
                ++m_at;
            row.fields.back().append(m_text, begin, m_at - begin);
            if (m_at == m_text.size())
                break;
            const char c = m_text[m_at++];
            const char following = m_at < m_text.size() ? m_text[m_at] : '\0';
            if (c == '\\' &&
                (following == '\\' || following == '\t' || following == '\n' || following == '\r')) {
                row.fields.back() += following;
                m_line += following == '\n';
                ++m_at;
            } else if (c == '\t') {
                row.fields.emplace_back();
            } else if (c == '\n' || (c == '\r' && following == '\n')) {
                m_at += c == '\r';
                ++m_line;
                ended = true;
            } else {
                row.fields.back() += c;
            }
        }
        if (row.fields.size() > 1 || !row.fields[0].empty())
            return row;
    }
    return std::nullopt;
}

std::string tabSeparatedLine(const std::vector<std::string>& fields) {
    std::string line;
    for (const auto& field : fields) {
        if (&field != &fields.front())
            line += '\t';
        for (const char c : field) {
            if (c == '\\' || c == '\t' || c == '\n' || c == '\r')
                line += '\\';
            line += c;
        }
    }
    return line + '\n';
}

bool isText(std::string_view bytes) {
    for (std::size_t i = 0; i < bytes.size();) {
        const Utf8Part part = utf8Part(bytes, i);
        if (!part.whole || bytes[i] == '\0')
            return false;
        i += part.bytes;
    }
    return true;
}

} // namespace headroom
