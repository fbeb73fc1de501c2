// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parquet/parquet_file.h"
#include "tests/fuzz/fuzz_table.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return readTable<headroom::ParquetFile>(data, size, "parquet");
}

std::vector<std::string> fuzzSeeds() {
    return tableSeeds("parquet", {"snappy", "gzip-version-2", "zstd-plain", "small-pages"});
}
