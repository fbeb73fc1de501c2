// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/head_groups.h"
#include "core/time/clocks.h"

#include <filesystem>
#include <string>
#include <vector>

namespace headroom {

/// The layers × heads document, version 1: what the editor edits, the trainer builds, a checkpoint carries
/// and the analysis reads. Schema and grammar: core/architecture/README.md. A value; layers count from 1 in
/// every message.
struct Architecture {
    struct FrontEnd {
        std::string kind = "conv1d"; ///< "conv1d" (conv2d is grammar only as yet)
        int features = 80;
        int channels = 1024;
        std::vector<int> kernels{5, 5}, strides{2, 2};
        bool operator==(const FrontEnd&) const = default;
        TokenClock clock() const; ///< padding ⌊kernel/2⌋
    };
    struct Layer {
        std::vector<HeadGroup> heads;
        bool operator==(const Layer&) const = default;
        int headCount() const;
    };
    struct Encoder {
        std::string kind = "transformer";
        int width = 256, feedForward = 2048;
        std::string norm = "pre", positions = "sinusoidal", activation = "relu";
        bool queryKeyValueBias = true;
        double dropout = 0.1, attentionDropout = 0.1;
        std::vector<Layer> layers;
        bool operator==(const Encoder&) const = default;
    };
    struct Decoder {
        int layers = 6, width = 256, feedForward = 2048;
        std::vector<HeadGroup> selfAttention, crossAttention;
        bool operator==(const Decoder&) const = default;
    };

    std::string name, source;
    FrontEnd frontEnd;
    Encoder encoder;
    std::optional<Decoder> decoder;
    std::optional<int> ctc; ///< size of the CTC output, where there is one
    int vocabulary = 0;
    std::optional<std::int64_t> publishedParameters; ///< what the paper prints, where it does
    bool operator==(const Architecture&) const = default;
};

/// Reads and checks a document. Unknown and duplicate keys, wrong types, counts that do not fit (heads that
/// do not divide the width, a reuse of a later layer, an even window …) throw Error "architecture.…" naming
/// `name` (the file), the place ("encoder.layers[4].heads") and the nearest correct text.
Architecture parseArchitecture(std::string_view json, const std::string& name);
Architecture readArchitecture(const std::filesystem::path& file);

/// Canonical text: fixed key order, one line per layer, shortest numbers, final newline. Canonical text read
/// and written again is the same bytes.
std::string canonicalText(const Architecture& architecture);

} // namespace headroom
