// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/architecture/architecture.h"
#include "tests/fuzz/fuzz_target.h"

using namespace headroom;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    try {
        const auto architecture = parseArchitecture({reinterpret_cast<const char*>(data), size}, "fuzz.json");
        const auto text = canonicalText(architecture);
        require(parseArchitecture(text, "canonical") == architecture, "canonical text is the same document");
        require(canonicalText(parseArchitecture(text, "canonical")) == text,
                "canonical text is written back byte for byte");
        ++accepted;
    } catch (const Error& error) {
        require(error.code().starts_with("architecture."), "bad text is architecture.…");
    }
    return 0;
}

std::vector<std::string> fuzzSeeds() {
    return {
        R"({ "format": "headroom/architecture", "version": 1, "name": "small", "source": "a test",
  "frontEnd": { "kind": "conv1d", "features": 80, "channels": 1024, "kernels": [5, 5], "strides": [2, 2] },
  "encoder": { "kind": "transformer", "width": 256, "feedForward": 2048, "norm": "pre", "positions": "sinusoidal",
    "activation": "relu", "queryKeyValueBias": true, "dropout": 0.1, "attentionDropout": 0.1,
    "layers": [ { "heads": "4 full" }, { "heads": "4 local 17" }, { "heads": "2 local 64 block + 2 conv 5/2" },
      { "heads": "4 full relaxed 0.01 fuzzy 0.03" }, { "heads": "4 reuse 3" } ] },
  "decoder": { "layers": 6, "width": 256, "feedForward": 2048, "selfAttention": "4 masked",
    "crossAttention": "4 full relaxed 0.25" },
  "ctc": null, "vocabulary": 8000 })",
        R"({"format":"headroom/architecture","version":1,"name":"","source":"","frontEnd":{"kind":"conv1d","features":80,)"
        R"("channels":256,"kernels":[5,5],"strides":[2,2]},"encoder":{"kind":"transformer","width":128,"feedForward":512,)"
        R"("norm":"pre","positions":"sinusoidal","activation":"relu","queryKeyValueBias":true,"dropout":0.1,)"
        R"("attentionDropout":0.1,"layers":[{"heads":"2 full smoothed + 2 full suppressed 0.5"}]},"decoder":null,"ctc":129,)"
        R"("vocabulary":256})"};
}
