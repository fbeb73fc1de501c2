// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/framing.h"
#include "tests/fuzz/fuzz_target.h"

#include <algorithm>

using namespace headroom;
using namespace headroom::protocol;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    FrameReader reader(1 << 20);
    // The first byte says in how large pieces the rest arrives.
    const std::size_t piece = size > 0 ? 1 + data[0] % 64 : 1;
    try {
        for (std::size_t at = 1; at < size; at += piece) {
            reader.push({reinterpret_cast<const char*>(data + at), std::min(piece, size - at)});
            while (const auto frame = reader.next()) {
                ++accepted;
                if (const auto* array = std::get_if<ArrayFrame>(&*frame)) {
                    const auto needed = byteCount(array->tensor.dtype, array->tensor.shape);
                    require(needed && *needed == array->tensor.bytes.size(),
                            "an array has the bytes of its shape");
                    encodeArray(array->request, array->name, array->tensor.view());
                } else {
                    const auto& message = std::get<nlohmann::json>(*frame);
                    require(message.is_object(), "a message is an object");
                    FrameReader again;
                    again.push(encodeMessage(message));
                    require(again.next().has_value(), "what was read can be sent on");
                }
            }
        }
    } catch (const Error& error) {
        require(error.code() == "protocol.malformed", "bad bytes are protocol.malformed");
    }
    return 0;
}

std::vector<std::string> fuzzSeeds() {
    const std::vector<float> samples{0.0F, 0.5F, -1.0F};
    const auto tensor = Tensor::of<float>({3}, samples);
    const auto request = encodeMessage({{"jsonrpc", "2.0"},
                                        {"id", 1},
                                        {"method", "analyse"},
                                        {"params", {{"model", 1}, {"tag", "a"}, {"layers", {1, 2}}}}});
    const auto array = encodeArray(1, "samples", tensor.view());
    const auto empty = encodeArray(2, "features", Tensor{DType::F64, {0, 80}, {}}.view());
    return {"\x3f" + request, "\x3f" + array, std::string(1, '\0') + array + request,
            "\x07" + request + empty + request};
}
