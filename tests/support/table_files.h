// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/errors/error.h"
#include "core/tables/columns.h"

#include <QString>
#include <QTest>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace headroom::testing {

/// The columns that can be read.
template <class File> std::vector<std::string> readColumns(const File& file) {
    std::vector<std::string> columns;
    for (const TableColumn& column : file.columns())
        if (column.isRead)
            columns.push_back(column.name);
    return columns;
}

/// Reads all rows of these bytes. Returns the code and sentence of the Error, or nothing.
template <class File> QString tableRefusal(const QByteArray& bytes, const char* name) {
    try {
        const File file(std::as_bytes(std::span(bytes.data(), static_cast<std::size_t>(bytes.size()))), name);
        if (const auto columns = readColumns(file); !columns.empty()) // a wrong byte can make all of them unreadable
            file.eachRow(columns, [](std::int64_t, const auto&) {});
    } catch (const Error& error) {
        return QString::fromStdString(error.code() + " | " + error.what());
    }
    return {};
}

/// Compares a file with the rows that pyarrow wrote (tests/golden/parquet.py): {"columns": […], "rows": [[…]]}. A QTest failure where
/// they differ.
template <class File> void compareWithRows(const std::filesystem::path& table, const std::filesystem::path& golden) {
    const auto expected = nlohmann::json::parse(std::ifstream(golden));
    const File file(table);
    const auto& rows = expected["rows"];
    QCOMPARE(file.rows(), static_cast<std::int64_t>(rows.size()));
    std::int64_t seen = 0;
    file.eachRow(expected["columns"].template get<std::vector<std::string>>(),
                 [&](std::int64_t index, const std::vector<TableValue>& values) {
                     QCOMPARE(index, seen++);
                     const auto& row = rows[static_cast<std::size_t>(index)];
                     for (std::size_t c = 0; c < values.size(); ++c) {
                         const auto& cell = row[c];
                         QCOMPARE(values[c].has_value(), !cell.is_null());
                         if (cell.is_null())
                             continue;
                         const std::string value(*values[c]);
                         if (cell.is_string())
                             QCOMPARE(value, cell.template get<std::string>());
                         else if (cell.is_boolean())
                             QCOMPARE(value, std::string(cell.template get<bool>() ? "true" : "false"));
                         else
                             QCOMPARE(std::stod(value), cell.template get<double>());
                     }
                 });
    QCOMPARE(seen, file.rows());
}

} // namespace headroom::testing
