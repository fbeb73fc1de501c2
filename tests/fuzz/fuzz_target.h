// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

/// The entry that libFuzzer calls. A headroom::Error is a fine answer to bad input; everything else that
/// leaves it, and every broken promise, ends the process.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

/// Valid inputs of this target, from which both libFuzzer (written as files) and the ctest begin.
std::vector<std::string> fuzzSeeds();

/// How many inputs were taken as valid; each target counts, so that the ctest knows that its seeds are seeds.
inline std::size_t accepted = 0;

/// A promise of the code under test.
inline void require(bool holds, const char* promise) {
    if (!holds) {
        std::fprintf(stderr, "broken promise: %s\n", promise);
        std::abort();
    }
}
