// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/arrow/arrow_file.h"
#include "tests/fuzz/fuzz_table.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return readTable<headroom::ArrowFile>(data, size, "arrow");
}

std::vector<std::string> fuzzSeeds() {
    return tableSeeds("arrow", {"stream", "file-zstd", "lz4", "views"});
}
