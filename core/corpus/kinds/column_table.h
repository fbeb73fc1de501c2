// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/corpus/kinds/source_reading.h"

#include <functional>
#include <initializer_list>
#include <string>
#include <vector>

namespace headroom {

/// One row of a table with a header line.
class ColumnRow {
public:
    ColumnRow(const std::vector<std::string>& names, const std::vector<std::string>& fields)
        : m_names(names)
        , m_fields(fields) {}
    /// Returns the field of the first of these columns that the table has; an empty text if it has none.
    std::string field(std::initializer_list<const char*> names) const;
    bool has(const char* name) const;

private:
    const std::vector<std::string>& m_names; ///< in lower case
    const std::vector<std::string>& m_fields;
};

/// Reads a table with a header: tab-separated as fairseq and Common Voice write it (.tsv), or comma- or
/// semicolon-separated with quotation marks (RFC 4180). Rows of another width, or that are not UTF-8, become
/// problems. Returns false if the table could not be read.
bool readColumnTable(SourceReading& reading, const std::filesystem::path& file,
                     const std::function<void(const ColumnRow&, const SourcePlace&)>& row);
/// Returns the names of the columns, in lower case; empty if there is no header.
std::vector<std::string> columnNames(const std::filesystem::path& file);

} // namespace headroom
