// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/errors/error.h"
#include "core/tensors/safetensors_header.h"
#include "tests/fuzz/fuzz_target.h"

using namespace headroom;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    try {
        const auto header =
            parseSafetensorsHeader({reinterpret_cast<const char*>(data), size}, "fuzz.safetensors");
        std::uint64_t end = 0;
        for (const auto& entry : header.entries) {
            const auto needed = byteCount(entry.dtype, entry.shape);
            require(needed && entry.end >= entry.begin && *needed == entry.end - entry.begin,
                    "a range holds just its shape");
            require(entry.begin >= end, "ranges do not overlap");
            end = entry.end;
        }
        ++accepted;
    } catch (const Error& error) {
        require(error.code().starts_with("tensors."), "bad bytes are tensors.…");
    }
    return 0;
}

std::vector<std::string> fuzzSeeds() {
    return {
        R"({"a":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]},"b":{"dtype":"F16","shape":[4],"data_offsets":[24,32]}})",
        R"({"__metadata__":{"format":"pt"},"x":{"dtype":"I64","shape":[],"data_offsets":[0,8]}})",
        R"({"empty":{"dtype":"BF16","shape":[0,5],"data_offsets":[0,0]}}   )", "{}"};
}
