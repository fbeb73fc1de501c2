// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/arrow/arrow_file.h"
#include "core/errors/error.h"
#include "tests/fuzz/fuzz_target.h"

#include <fstream>
#include <iterator>

using namespace headroom;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    try {
        const ArrowFile file(std::as_bytes(std::span(data, size)), "fuzz.arrow");
        std::vector<std::string> columns;
        for (const auto& column : file.columns())
            if (column.isRead)
                columns.push_back(column.name);
        std::int64_t rows = 0;
        // A file may state any number of rows that have no bytes.
        if (columns.empty() || file.rows() > 100'000)
            return 0;
        file.eachRow(columns, [&](std::int64_t index, const std::vector<ArrowFile::Value>& values) {
            require(index == rows++ && values.size() == columns.size(),
                    "rows come in order, with every column");
        });
        require(rows == file.rows(), "every row is read");
        ++accepted;
    } catch (const Error& error) {
        require(error.code().starts_with("arrow."), "bad bytes are arrow.…");
    }
    return 0;
}

std::vector<std::string> fuzzSeeds() {
    std::vector<std::string> seeds;
    for (const char* name : {"stream", "file-zstd", "views"}) {
        std::ifstream file(std::string(HEADROOM_SOURCE_DIR) + "/tests/data/parity/arrow/" + name + ".arrow",
                           std::ios::binary);
        seeds.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    }
    return seeds;
}
