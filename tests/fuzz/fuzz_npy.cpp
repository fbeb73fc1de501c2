// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/errors/error.h"
#include "core/tensors/npy.h"
#include "tests/fuzz/fuzz_target.h"

using namespace headroom;

namespace {

std::string npy(const std::string& header, const std::string& data, char major = 1) {
    std::string file = std::string("\x93NUMPY") + major + '\0';
    const auto length = header.size();
    for (int byte = 0; byte < (major == 1 ? 2 : 4); ++byte)
        file += static_cast<char>(length >> (8 * byte) & 0xff);
    return file + header + data;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    try {
        const auto tensor = parseNpy(std::as_bytes(std::span(data, size)), "fuzz.npy");
        const auto needed = byteCount(tensor.dtype, tensor.shape);
        require(needed && *needed == tensor.bytes.size(), "an array has the bytes of its shape");
        require(tensor.bytes.size() <= size, "an array is no larger than its file");
        ++accepted;
    } catch (const Error& error) {
        require(error.code().starts_with("npy."), "bad bytes are npy.…");
    }
    return 0;
}

std::vector<std::string> fuzzSeeds() {
    return {npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }   \n", std::string(24, '\1')),
            npy("{'descr': '<f8', 'fortran_order': True, 'shape': (3, 2), }\n", std::string(48, '\2')),
            npy("{'descr': '|u1', 'fortran_order': False, 'shape': (), }\n", "x", 2),
            npy("{'descr': '<i8', 'fortran_order': False, 'shape': (0, 7), }\n", "", 3)};
}
