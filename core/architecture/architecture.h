// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/choices.h"
#include "core/architecture/head_groups.h"
#include "core/time/clocks.h"

#include <filesystem>
#include <string>
#include <vector>

namespace headroom {

/// The layers × heads document, version 1: what the editor edits, the trainer builds, a checkpoint carries
/// and the analysis reads. Schema and grammar: core/architecture/README.md. A value; messages count layers
/// from 1.
struct Architecture {
    struct FrontEnd {
        FrontEndKind kind = FrontEndKind::Conv1d;
        int features = 80;
        int channels = 1024;     ///< conv1d: outputs of every convolution except the last (S2T: before GLU)
        std::vector<int> planes; ///< conv2d: output planes of each convolution; empty for conv1d
        std::vector<int> kernels{5, 5}, strides{2, 2};
        FrontEndActivation activation = FrontEndActivation::Glu;
        FrontEndNorm norm = FrontEndNorm::None;
        bool projection = false; ///< conv1d: a linear layer width → width behind (fairseq's Conformer)
        bool operator==(const FrontEnd&) const = default;
        TokenClock clock() const; ///< padding ⌊kernel/2⌋
    };
    struct Layer {
        std::vector<HeadGroup> heads;
        bool operator==(const Layer&) const = default;
        int headCount() const;
    };
    /// The convolution module of a conformer layer (Gulati et al. 2020): pointwise d → 2d, GLU, depthwise,
    /// norm, swish, pointwise d → d.
    struct Convolution {
        int kernel = 31; ///< odd
        ConvolutionNorm norm = ConvolutionNorm::Batch;
        bool bias = true; ///< of the two pointwise convolutions (fairseq: none); the depthwise has none
        bool operator==(const Convolution&) const = default;
    };
    struct Encoder {
        EncoderKind kind = EncoderKind::Transformer; ///< a Conformer is macaron: two feed-forwards
        int width = 256, feedForward = 2048;
        NormPlace norm = NormPlace::Pre;
        Positions positions = Positions::Sinusoidal;
        Activation activation = Activation::Relu;
        std::optional<Convolution> convolution; ///< conformer only
        bool queryKeyValueBias = true;
        double dropout = 0.1, attentionDropout = 0.1;
        std::vector<Layer> layers;
        bool operator==(const Encoder&) const = default;
    };
    struct Decoder {
        int layers = 6, width = 256, feedForward = 2048;
        std::vector<HeadGroup> selfAttention, crossAttention;
        NormPlace norm = NormPlace::Pre;
        Activation activation = Activation::Relu;
        bool tiedEmbeddings = false; ///< one matrix for embedding and output
        bool operator==(const Decoder&) const = default;
    };
    /// A language model instead of a speech model (Lohrenz et al. 2022, A.3): no front end, encoder, decoder.
    struct LanguageModel {
        LanguageModelKind kind = LanguageModelKind::Transformer;
        int layers = 6, width = 512, feedForward = 2048; ///< lstm: width of embedding and of each layer
        std::vector<HeadGroup> selfAttention;            ///< transformer: masked heads
        NormPlace norm = NormPlace::Pre;
        Activation activation = Activation::Relu;
        double dropout = 0.1, attentionDropout = 0.1;
        bool tiedEmbeddings = false;
        bool operator==(const LanguageModel&) const = default;
    };

    std::string name, source;
    FrontEnd frontEnd;
    Encoder encoder;
    std::optional<Decoder> decoder;
    std::optional<LanguageModel> languageModel; ///< if set, frontEnd and encoder are unused and layers are
                                                 ///< empty
    std::optional<int> ctc;                     ///< size of the CTC output, if there is one
    int vocabulary = 0;
    std::optional<std::int64_t> publishedParameters; ///< the published count, if there is one
    bool publishedWithoutFrontEnd = false;           ///< that count leaves the front end out
    bool operator==(const Architecture&) const = default;
};

/// Reads and validates a document. Unknown and duplicate keys, wrong types and inconsistent counts (heads
/// that do not divide the width, reuse of a later layer, an even window …) throw Error "architecture.…",
/// which names `name` (the file), the place ("encoder.layers[4].heads") and the nearest correct text.
Architecture parseArchitecture(std::string_view json, const std::string& name);
Architecture readArchitecture(const std::filesystem::path& file);

/// Returns the canonical text: fixed key order, one line per layer, shortest numbers, final newline.
/// Canonical text that is read and written again gives the same bytes.
std::string canonicalText(const Architecture& architecture);

} // namespace headroom
