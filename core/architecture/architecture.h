// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/choices.h"
#include "core/architecture/head_groups.h"
#include "core/features/model_input.h"
#include "core/time/clocks.h"

#include <filesystem>
#include <string>
#include <utility>
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
        std::vector<int> planes; ///< conv2d, waveform, depthwise2d (all equal): outputs of each convolution
        std::vector<int> kernels{5, 5}, strides{2, 2};
        FrontEndActivation activation = FrontEndActivation::Glu;
        FrontEndNorm norm = FrontEndNorm::None;
        bool projection = false; ///< conv1d: a linear layer width → width behind (fairseq's Conformer)
        InputKind reads = InputKind::KaldiLogMel;
        bool bias = true;           ///< of the convolutions; waveform only, all others have one
        bool projectionNorm = true; ///< waveform: LayerNorm between the convolutions and the linear layer
        bool normalised = true;     ///< waveform: the samples of a recording have mean 0 and variance 1;
                                    ///< espnet-log-mel without `cmvn`: the bins have variance 1, not mean 0 only
        /// The result is multiplied by √width: of conv1d, conv2d (where documents say so), depthwise2d, text.
        bool scaled = true;
        bool padded = true;         ///< conv2d: by ⌊kernel/2⌋ on each side (ESPnet: not at all)
        int stacked = 2; ///< stacked input: frames in a row of features, and what fills the last row
        double paddingValue = 1;
        double preEmphasis = 0.97; ///< nemo-log-mel
        std::optional<GlobalCmvn> cmvn; ///< kaldi-log-mel, espnet-log-mel: global CMVN; else that of each utterance
        EspnetFrames frames;            ///< espnet-log-mel
        int windowFrames = 0;           ///< ast-log-mel: the frames of its fixed window
        int frequencyStride = 0; ///< patches: mel bins from one to the next; `strides` has the frames
        int classTokens = 0;     ///< patches: 0 to 2 learnt tokens beside them, which are no sound
        int vocabulary = 0;      ///< text: pieces of the source's own vocabulary and embedding; 0: the decoder's
        bool operator==(const FrontEnd&) const = default;
        /// The padding of a convolution on each side: ⌊kernel/2⌋, none for a waveform or if not `padded`.
        int padding(std::size_t convolution) const;
        ModelInput input() const;
        /// Tokens of the same time: patches of one column. 1 for all other kinds.
        std::int64_t bands() const;
        /// Patches: the frequencies that a band hears, in Hz.
        std::pair<double, double> bandHertz(std::int64_t band) const;
        TokenClock clock() const;
        /// Returns the frames of so much speech: 100 in a second, or 16,000 samples. Text: 100 tokens, so that what
        /// counts frames of 10 ms counts tokens.
        Frames framesIn(Seconds time) const;
        /// Returns the tokens of a recording itself whose input has `rows` rows.
        std::int64_t ownTokens(std::int64_t rows) const;
        /// Returns the tokens that are computed for it: the same, or those of the whole window and the class tokens.
        std::int64_t computedTokens(std::int64_t rows) const;
    };
    struct Layer {
        std::vector<HeadGroup> heads;
        bool operator==(const Layer&) const = default;
        int headCount() const;
    };
    /// The convolution module of a conformer layer (Gulati et al. 2020): pointwise d → 2d, GLU, depthwise,
    /// norm, activation, pointwise d → d.
    struct Convolution {
        int kernel = 31; ///< odd
        ConvolutionNorm norm = ConvolutionNorm::Batch;
        bool bias = true;           ///< of the two pointwise convolutions (fairseq: none)
        bool depthwiseBias = false; ///< of the depthwise one
        bool causal = false;        ///< the depthwise one reads a token and those before it (wav2vec2-BERT)
        Activation activation = Activation::Swish;
        bool operator==(const Convolution&) const = default;
    };
    /// What stands beside the attention of a Branchformer layer, and merges both: LayerNorm, linear d → units, GELU;
    /// the second half, LayerNorm and a depthwise convolution behind it, gates the first; linear units/2 → d. The merge
    /// is a linear layer 2d → d of both branches side by side, to which a depthwise convolution of them is added.
    struct GatedBranch {
        int units = 2048; ///< even
        int kernel = 31;  ///< odd
        int mergeKernel = 31; ///< odd; 0: the merge has no convolution (Branchformer; E-Branchformer has one)
        bool operator==(const GatedBranch&) const = default;
    };
    /// Positions from a convolution (Baevski et al. 2020; HuBERT, WavLM; data2vec has several): padding
    /// ⌊kernel/2⌋, the last output cut if the kernel is even, activation, added to its input.
    struct PositionalConvolution {
        int kernel = 128, groups = 16, layers = 1;
        bool weightNorm = true; ///< weight = g v / ‖v‖, one norm per place of the kernel
        PositionalNorm norm = PositionalNorm::None;
        Activation activation = Activation::Gelu;
        bool operator==(const PositionalConvolution&) const = default;
    };
    /// A bias of the scores by bucketed distance, shared by all layers, times a gate per layer, head and query
    /// (Chen et al. 2022, WavLM, §3.1).
    struct RelativeBias {
        int buckets = 320, maxDistance = 800;
        bool operator==(const RelativeBias&) const = default;
    };
    /// Learnt vectors of clamped distances, added to the keys (Shaw et al. 2018, with a reach for each side):
    /// with Positions::RelativeKey only.
    struct RelativeKey {
        int left = 64, right = 8; ///< tokens; farther ones share the last vector
        bool operator==(const RelativeKey&) const = default;
    };
    struct Encoder {
        EncoderKind kind = EncoderKind::Transformer; ///< others are macaron: two feed-forwards, halved
        int width = 256, feedForward = 2048;         ///< feedForward 0: a Branchformer without any
        NormPlace norm = NormPlace::Pre;
        Positions positions = Positions::Sinusoidal;
        Activation activation = Activation::Relu;
        std::optional<Convolution> convolution; ///< conformer only
        std::optional<GatedBranch> branch;      ///< branchformer only
        bool outputNorm = false; ///< conformer, branchformer: a LayerNorm behind the last layer (ESPnet)
        std::optional<PositionalConvolution> positionalConvolution; ///< with Positions::Convolutional only
        std::optional<RelativeBias> relativeBias;                   ///< beside any positions
        bool inputNorm = false;    ///< LayerNorm of the input of layer 1, positions included
        double normEpsilon = 1e-5; ///< of every LayerNorm of the layers and around them
        int adapters = 0;          ///< width of an adapter after each layer (MMS: Pratap et al. 2023); 0: none
        std::optional<RelativeKey> relativeKey; ///< with Positions::RelativeKey only
        bool queryKeyValueBias = true;
        bool outputBias = true;      ///< of W_O
        bool feedForwardBias = true; ///< of both linear layers of every feed-forward
        bool keyBias = true; ///< of the keys alone, where queries and values have one (Whisper: none)
        double dropout = 0.1, attentionDropout = 0.1;
        std::optional<double> activationDropout; ///< inside every feed-forward, the decoder's too; unset: as dropout
        std::vector<Layer> layers;
        bool operator==(const Encoder&) const = default;
        /// Whether a LayerNorm follows the last layer.
        bool normsOutput() const {
            return kind == EncoderKind::Transformer ? norm == NormPlace::Pre : outputNorm;
        }
    };
    /// Layers between encoder and output that shorten the sequence (wav2vec2-BERT's adapter): per layer two
    /// strided convolutions with GLU, plain attention, feed-forward. The output then has a clock of its own.
    struct LengthAdapter {
        int layers = 1, kernel = 3, stride = 2;
        int width = 1024, heads = 16, feedForward = 4096;
        Activation activation = Activation::Relu;
        bool operator==(const LengthAdapter&) const = default;
        /// Tokens that a layer makes of `tokens`: padding ⌊stride/2⌋.
        std::int64_t lengthOf(std::int64_t tokens) const {
            return (tokens + 2 * (stride / 2) - kernel) / stride + 1;
        }
    };
    struct Decoder {
        int layers = 6, width = 256, feedForward = 2048;
        std::vector<HeadGroup> selfAttention, crossAttention;
        NormPlace norm = NormPlace::Pre;
        Activation activation = Activation::Relu;
        bool tiedEmbeddings = false; ///< one matrix for embedding and output
        TextPositions positions = TextPositions::Sinusoidal;
        int places = 0;               ///< rows of a table of learnt positions: the longest text; otherwise 0
        bool scaledEmbeddings = true; ///< embeddings are multiplied by √width
        bool keyBias = true;          ///< of self-attention and cross-attention
        bool operator==(const Decoder&) const = default;
    };
    /// A language model instead of a speech model (Lohrenz et al. 2022, A.3): no front end, encoder, decoder.
    struct LanguageModel {
        LanguageModelKind kind = LanguageModelKind::Transformer;
        int layers = 6, width = 512, feedForward = 2048; ///< lstm: width of embedding and of each layer
        std::vector<HeadGroup> selfAttention; ///< transformer: masked heads of all layers, or of the first
        std::vector<Layer> ownHeads;          ///< of each layer, if not all have the same; else empty
        NormPlace norm = NormPlace::Pre;
        Activation activation = Activation::Relu;
        double dropout = 0.1, attentionDropout = 0.1;
        bool tiedEmbeddings = false;
        bool operator==(const LanguageModel&) const = default;
        /// The heads of a layer, from 0.
        const std::vector<HeadGroup>& headsOf(std::size_t layer) const {
            return ownHeads.empty() ? selfAttention : ownHeads.at(layer).heads;
        }
        /// Takes the heads of every layer.
        void setHeads(std::vector<Layer> layers);
    };

    std::string name, source;
    FrontEnd frontEnd;
    Encoder encoder;
    /// Half a feed-forward with ReLU and a residual between encoder and output: x + FFN(x) / 2
    /// (wav2vec2-BERT).
    bool intermediateFeedForward = false;
    std::optional<LengthAdapter> lengthAdapter; ///< after it
    std::optional<Decoder> decoder;
    std::optional<LanguageModel> languageModel; ///< if set, frontEnd and encoder are unused and layers are
                                                 ///< empty, except in withLanguageLayers()
    std::optional<int> ctc;                     ///< size of the CTC output, if there is one
    int ctcBlank = 0;                           ///< the label that is no text
    int vocabulary = 0;
    std::optional<std::int64_t> publishedParameters; ///< the published count, if there is one
    bool publishedWithoutFrontEnd = false;           ///< that count leaves the front end out
    bool operator==(const Architecture&) const = default;

    /// The width of the vectors that the CTC output reads, and the clock of its tokens: the encoder's, unless
    /// a length adapter stands between.
    int outputWidth() const { return lengthAdapter ? lengthAdapter->width : encoder.width; }
    /// Pieces that a text model reads: of its source's own vocabulary, or of the one that both languages share.
    int sourceVocabulary() const { return frontEnd.vocabulary > 0 ? frontEnd.vocabulary : vocabulary; }
    TokenClock outputClock() const;
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
