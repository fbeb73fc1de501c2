// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/corpus/tab_separated.h"

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
        const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(bytes[i + k]); };
        const auto lead = byte(0);
        if (lead > 0 && lead < 0x80) {
            ++i;
            continue;
        }
        std::size_t length = 1;
        if (lead == 0 || (lead >= 0x80 && (lead < 0xC2 || lead > 0xF4)))
            return false;
        if (lead >= 0x80)
            length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
        if (i + length > bytes.size())
            return false;
        for (std::size_t k = 1; k < length; ++k)
            if ((byte(k) & 0xC0) != 0x80)
                return false;
        // overlong forms, surrogates and what lies beyond U+10FFFF
        if (length >= 3 && ((lead == 0xE0 && byte(1) < 0xA0) || (lead == 0xED && byte(1) >= 0xA0) ||
                            (lead == 0xF0 && byte(1) < 0x90) || (lead == 0xF4 && byte(1) >= 0x90)))
            return false;
        i += length;
    }
    return true;
}

} // namespace headroom
