// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/corpus/kinds/column_table.h"

#include "core/corpus/kinds/text_lines.h"
#include "core/corpus/tab_separated.h"
#include "core/errors/count_text.h"
#include "core/errors/error.h"

#include <algorithm>

namespace headroom {

namespace {

constexpr std::size_t kLongestRow = 1u << 20; // bytes, of a row of several lines

/// Splits comma-separated text, line by line: appends to the last of `fields`. `quoted`: whether a quotation is open, before and after.
void splitQuoted(const std::string& text, char comma, std::vector<std::string>& fields, bool& quoted) {
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quoted && c == '"' && i + 1 < text.size() && text[i + 1] == '"') {
            fields.back() += c;
            ++i;
        } else if (c == '"' && (quoted || fields.back().empty())) {
            quoted = !quoted;
        } else if (c == comma && !quoted) {
            fields.emplace_back();
        } else {
            fields.back() += c;
        }
    }
}

/// Rows of one file in either form.
class RowReader {
public:
    explicit RowReader(const std::filesystem::path& file) : m_lines(file) {
        auto name = file.filename().string();
        if (name.ends_with(".gz"))
            name.erase(name.size() - 3);
        m_tabs = lowered(name).ends_with(".tsv");
    }

    /// Skips empty lines. Returns false at the end.
    bool next(std::vector<std::string>& fields, int& line) {
        std::string text;
        do {
            if (!m_lines.next(text))
                return false;
        } while (text.empty());
        line = m_lines.number();
        if (m_tabs) {
            // A backslash at the end escapes the line break.
            for (std::string more; endsEscaped(text) && m_lines.next(more);) {
                text += "\n" + more;
                if (text.size() > kLongestRow)
                    throw Error("corpus.badRow", "The row that begins in line " + std::to_string(line) +
                                                     " is longer than 1 MB: each of its lines ends with a backslash.");
            }
            const auto row = TabSeparatedReader(text).next();
            fields = row ? row->fields : std::vector<std::string>{""};
            return true;
        }
        if (m_comma == 0)
            m_comma = std::count(text.begin(), text.end(), ';') > std::count(text.begin(), text.end(), ',')
                          ? ';'
                          : ',';
        fields.assign(1, {});
        bool quoted = false;
        std::size_t size = text.size();
        splitQuoted(text, m_comma, fields, quoted);
        for (std::string more; quoted;) {
            const auto begins = [&] { return "The quotation that begins in line " + std::to_string(line); };
            if (!m_lines.next(more))
                throw Error("corpus.badRow", begins() + " never ends.");
            splitQuoted("\n" + more, m_comma, fields, quoted);
            if ((size += more.size() + 1) > kLongestRow)
                throw Error("corpus.badRow", begins() + " does not end within 1 MB; a quotation mark inside a text is doubled (\"\").");
        }
        return true;
    }

private:
    static bool endsEscaped(const std::string& text) {
        const auto last = text.find_last_not_of('\\');
        return (text.size() - (last == std::string::npos ? 0 : last + 1)) % 2 == 1;
    }

    LineReader m_lines;
    bool m_tabs = false;
    char m_comma = 0;
};

} // namespace

std::string ColumnRow::field(std::initializer_list<const char*> names) const {
    for (const char* name : names)
        if (const auto at = std::find(m_names.begin(), m_names.end(), name); at != m_names.end())
            return m_fields[static_cast<std::size_t>(at - m_names.begin())];
    return {};
}

bool ColumnRow::has(const char* name) const {
    return std::find(m_names.begin(), m_names.end(), name) != m_names.end();
}

bool readColumnTable(SourceReading& reading, const std::filesystem::path& file,
                     const std::function<void(const ColumnRow&, const SourcePlace&)>& row) {
    const std::string name = reading.relativeName(file);
    try {
        RowReader rows(file);
        std::vector<std::string> names, fields;
        int line = 0;
        if (!rows.next(names, line)) {
            reading.problem("corpus.noHeader", {name, 0}, {}, "the table has no header line");
            return false;
        }
        if (std::any_of(names.begin(), names.end(), [](const std::string& one) { return one.find('\r') != std::string::npos; })) {
            reading.problem("corpus.badRow", {name, 0}, {}, "its lines end with a carriage return alone, as on old Macs; save it with line feeds");
            return false;
        }
        for (auto& each : names)
            each = lowered(each);
        while (rows.next(fields, line)) {
            const SourcePlace place{name, line};
            if (fields.size() != names.size())
                reading.problem("corpus.badRow", place, {},
                                "the row has " + counted(static_cast<std::int64_t>(fields.size()), "field") + " where the header has " + std::to_string(names.size()));
            else if (!std::all_of(fields.begin(), fields.end(), isText))
                reading.problem("corpus.badText", place, {}, "the row is not UTF-8, or has a zero byte; save the table as UTF-8");
            else
                row(ColumnRow(names, fields), place);
        }
        return true;
    } catch (const Error& error) {
        const std::string sentence = error.what(), own = error.values().value("problem", std::string()); // the place names the file
        reading.problem(error.code(), {name, 0}, {}, own.empty() ? sentence.substr(0, sentence.size() - 1) : "the file" + own);
        return false;
    }
}

std::vector<std::string> columnNames(const std::filesystem::path& file) {
    std::vector<std::string> names;
    int line = 0;
    try {
        RowReader(file).next(names, line);
    } catch (const Error&) { // whoever reads the table says why
    }
    for (auto& name : names)
        name = lowered(name);
    return names;
}

} // namespace headroom
