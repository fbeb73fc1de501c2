// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/errors/error.h"
#include "core/tables/columns.h"
#include "tests/fuzz/fuzz_target.h"

#include <fstream>
#include <initializer_list>
#include <iterator>
#include <span>

/// A file of rows with named columns: it is read whole or refused with an Error whose code begins with FOLDER, as "arrow.".
template <class File> int readTable(const std::uint8_t* data, std::size_t size, const std::string& folder) {
    using namespace headroom;
    try {
        const File file(std::as_bytes(std::span(data, size)), "fuzz");
        std::vector<std::string> columns;
        for (const TableColumn& column : file.columns())
            if (column.isRead)
                columns.push_back(column.name);
        std::int64_t rows = 0;
        // A file may state any number of rows that have no bytes.
        if (columns.empty() || file.rows() > 100'000)
            return 0;
        file.eachRow(columns, [&](std::int64_t index, const std::vector<TableValue>& values) {
            require(index == rows++ && values.size() == columns.size(), "rows come in order, with every column");
        });
        require(rows == file.rows(), "every row is read");
        ++accepted;
    } catch (const Error& error) {
        require(error.code().starts_with(folder + "."), "bad bytes have an error of this reader");
    }
    return 0;
}

/// The files of tests/data/parity/FOLDER with this ending.
inline std::vector<std::string> tableSeeds(const std::string& folder, std::initializer_list<const char*> names) {
    std::vector<std::string> seeds;
    for (const char* name : names) {
        std::ifstream file(std::string(HEADROOM_SOURCE_DIR) + "/tests/data/parity/" + folder + "/" + name + "." + folder, std::ios::binary);
        seeds.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    }
    return seeds;
}
