// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace headroom::testing {

/// An architecture that translates texts, of a few thousand weights.
inline constexpr const char* kTinyText = R"({ "format": "headroom/architecture", "version": 1, "name": "tiny text",
  "frontEnd": { "kind": "text" },
  "encoder": { "kind": "transformer", "width": 32, "feedForward": 48, "norm": "post",
    "layers": [ { "heads": "2 full relaxed 0.05" }, { "heads": "2 local 5" } ] },
  "decoder": { "layers": 1, "width": 32, "feedForward": 48, "selfAttention": "2 masked",
    "crossAttention": "2 full relaxed 0.1", "norm": "post", "tiedEmbeddings": true },
  "ctc": null, "vocabulary": 512 })";

} // namespace headroom::testing
