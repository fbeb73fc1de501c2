// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/features/model_input.h"

#include <array>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

/// What an architecture chooses from. Documents contain the words below; the readers and writers of documents
/// convert them, and everything else compares enumerators.
namespace headroom {

enum class FrontEndKind {
    Conv1d,   ///< strided convolutions along time
    Conv2d,   ///< over time and features, then a linear layer from all planes of a token to the width
    Waveform, ///< unpadded strided convolutions over samples, then LayerNorm and a linear layer to the width
    Depthwise2d, ///< as conv2d, but depthwise and pointwise after the first convolution (FastConformer)
    Linear,      ///< LayerNorm and a linear layer of each row of features (wav2vec2-BERT)
    Text,        ///< source tokens through an embedding, the decoder's or their own (Lohrenz et al. 2022, machine translation)
    Patches      ///< overlapping squares of time and frequency, each a token (AST: Gong et al. 2021)
};
/// GLU halves the channels, only with Conv1d. GELU is exact, GeluTanh its tanh approximation.
enum class FrontEndActivation { Glu, Relu, Gelu, GeluTanh, Swish };
/// Between convolution and activation. Group: after the first convolution, mean and variance over time of each
/// channel. Layer: LayerNorm over the channels after each convolution.
enum class FrontEndNorm { None, Batch, Group, Layer };
/// Branchformer: attention beside an MLP that a convolution gates, merged (Peng et al. 2022; Kim et al. 2022).
enum class EncoderKind { Transformer, Conformer, Branchformer };
enum class NormPlace { Pre, Post }; ///< LayerNorm before each block and once at the end, or after each block
enum class Positions {
    Sinusoidal,
    Relative, ///< Transformer-XL: u, v, linear_pos
    Rotary,
    None,
    Convolutional, ///< a grouped convolution over the input of layer 1 is added to it (wav2vec 2.0)
    RelativeKey,   ///< learnt vectors of clamped distances, added to the keys
    Stored, ///< a table in the weights that is never learnt, one row for each token of a fixed window (Whisper)
    Learnt, ///< the same, learnt (AST)
    Interleaved, ///< sines at even, cosines at odd channels, from 0, added to the input (ESPnet's abs_pos)
    RelativeLegacy ///< Relative as ESPnet computed it before 2021 (models/attention/relative.h)
};
/// u, v and linear_pos in every layer that has a map of its own.
inline bool isRelative(Positions positions) {
    return positions == Positions::Relative || positions == Positions::RelativeLegacy;
}
/// Of a positional convolution. Batch: BatchNorm before it; Layer: LayerNorm without weights after it.
enum class PositionalNorm { None, Batch, Layer };
/// Of a feed-forward block. GELU is exact, GeluTanh its tanh approximation; swish is x · sigmoid(x).
enum class Activation { Relu, Gelu, Swish, GeluTanh };
/// Of a decoder. Learnt: a table with a row for each place of a text.
enum class TextPositions { Sinusoidal, Learnt };
enum class ConvolutionNorm { Batch, Layer }; ///< of a Conformer's convolution module
enum class LanguageModelKind { Transformer, Lstm };

/// The words of an enumeration in a document, in the order of its enumerators.
template <class Choice> struct ChoiceWords;
template <> struct ChoiceWords<FrontEndKind> {
    static constexpr std::array<std::string_view, 7> all{"conv1d", "conv2d", "waveform", "depthwise2d",
                                                         "linear", "text", "patches"};
};
template <> struct ChoiceWords<InputKind> {
    static constexpr std::array<std::string_view, 8> all{
        "kaldi-log-mel", "waveform", "stacked-kaldi-log-mel", "nemo-log-mel", "whisper-log-mel", "espnet-log-mel",
        "ast-log-mel", "text"};
};
template <> struct ChoiceWords<FrontEndActivation> {
    static constexpr std::array<std::string_view, 5> all{"glu", "relu", "gelu", "gelu-tanh", "swish"};
};
template <> struct ChoiceWords<FrontEndNorm> {
    static constexpr std::array<std::string_view, 4> all{"none", "batch", "group", "layer"};
};
template <> struct ChoiceWords<EncoderKind> {
    static constexpr std::array<std::string_view, 3> all{"transformer", "conformer", "branchformer"};
};
template <> struct ChoiceWords<NormPlace> {
    static constexpr std::array<std::string_view, 2> all{"pre", "post"};
};
template <> struct ChoiceWords<Positions> {
    static constexpr std::array<std::string_view, 10> all{"sinusoidal",    "relative",     "rotary", "none",
                                                          "convolutional", "relative-key", "stored", "learnt",
                                                          "interleaved",   "relative-legacy"};
};
template <> struct ChoiceWords<PositionalNorm> {
    static constexpr std::array<std::string_view, 3> all{"none", "batch", "layer"};
};
template <> struct ChoiceWords<Activation> {
    static constexpr std::array<std::string_view, 4> all{"relu", "gelu", "swish", "gelu-tanh"};
};
template <> struct ChoiceWords<TextPositions> {
    static constexpr std::array<std::string_view, 2> all{"sinusoidal", "learnt"};
};
template <> struct ChoiceWords<ConvolutionNorm> {
    static constexpr std::array<std::string_view, 2> all{"batch", "layer"};
};
template <> struct ChoiceWords<LanguageModelKind> {
    static constexpr std::array<std::string_view, 2> all{"transformer", "lstm"};
};

/// Returns the word of a choice, as in documents.
template <class Choice> std::string wordOf(Choice choice) {
    return std::string(ChoiceWords<Choice>::all.at(static_cast<std::size_t>(choice)));
}

/// Returns the choice with this word. Throws std::invalid_argument for any other text.
template <class Choice> Choice choiceOf(std::string_view word) {
    for (std::size_t i = 0; i < ChoiceWords<Choice>::all.size(); ++i)
        if (ChoiceWords<Choice>::all[i] == word)
            return static_cast<Choice>(i);
    throw std::invalid_argument("no such choice in an architecture: " + std::string(word));
}

/// The activation of a front end without GLU. Throws std::invalid_argument for GLU.
inline Activation activationOf(FrontEndActivation activation) {
    return choiceOf<Activation>(wordOf(activation));
}

} // namespace headroom
