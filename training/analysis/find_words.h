// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/messages.h"
#include "core/tensors/tensor.h"
#include "core/text/tokenizer.h"
#include "models/networks/speech_model.h"

#include <functional>
#include <string>
#include <vector>

namespace headroom::training {

/// Takes one array as soon as it is known. The view is valid during the call.
using ArraySink = std::function<void(const std::string& name, const TensorView& array)>;

/// Returns a piece as a person reads it: its own text, or its name if it has none.
std::string shownPiece(const Tokenizer& tokenizer, int id);
/// Returns the pieces of ids that a decoder reads, the prompt among them.
std::vector<std::string> shownPieces(const Tokenizer& tokenizer, const std::vector<int>& ids);
/// Returns the pieces of what a model reads of a text: the ids of its tokens as one column.
std::vector<std::string> sourcePieces(const Tokenizer& tokenizer, const Matrix<float>& source);

/// Names the characters of a text that a vocabulary cannot write; empty: it can write all of it.
std::string unknownCharactersSentence(const Tokenizer& tokenizer, const std::string& text, const std::string& model);

/// Finds the words of a text in a recording. `features`: what the model reads. `text`: the text as given;
/// empty: as heard, that is what greedy decoding writes.
///
/// - Cross-attention (models with a decoder): the maps of the alignment heads, warped in time
///   (core/analysis/token_times.h). Row i is the query that predicts piece i, as in Whisper's own word times;
///   the last row predicts the end of the text, so a word ends where the piece behind it begins. A separator
///   before a word belongs to it. The heads are those that the model names, otherwise all heads of the upper
///   half of the decoder's layers, as in Whisper. The median is 0.14 s wide (7 tokens of Whisper).
/// - CTC (models with such an output): the best path of the pieces (training/alignment/ctc_alignment.h). A
///   word lasts from the first to the last token of its labels.
///
/// Words of a model that reads text have no times, because a translation may order them differently.
///
/// Boundaries lie half-way between tokens, in seconds from the start of the features, cut at 0.
/// Arrays: decoder.layer.l.self.attention [H, T, T] and decoder.layer.l.cross.attention [H, T, N], as
/// `analyse` writes them, of every layer, with `explain` also decoder.layer.l.self.contributions and
/// decoder.layer.l.cross.contributions; decoder.input_pieces, as `analyse`; ctc.probabilities [pieces, N],
/// P(piece | token), where there is a CTC output.
///
/// Throws Error "model.noTokenizer", "model.noText" (neither a decoder nor a CTC output), "words.tooLong"
/// (more pieces than the model writes), "words.unknownText" (the vocabulary cannot write the text), and what
/// analyseDecoder() throws.
protocol::WordsResult findWords(models::SpeechModel& model, const Matrix<float>& features,
                                const std::string& text, const ArraySink& array,
                                const models::CancelFlag* cancel = nullptr, bool explain = false);

/// Finds the words of a text that decoding wrote, by its `ids`, as findWords does of what greedy decoding writes: a text that
/// is cut anew may have other pieces, and its words other times. Time tokens and the end are left out, and the prompt is that of
/// a text without times. So is the last piece of the longest text that the decoder writes, because it reads one token less.
protocol::WordsResult findWrittenWords(models::SpeechModel& model, const Matrix<float>& features, std::vector<int> ids,
                                       const ArraySink& array, const models::CancelFlag* cancel = nullptr,
                                       bool explain = false);

/// The words of the best text of a beam search, with `hypotheses`: at most `count` texts, best first, each with its
/// score and the times of its words. Beam search with 5 beams (more for a larger `count`) and length penalty 1; models
/// without a decoder are searched by CTC prefixes. No text twice; the empty text is left out. If no text is left, the
/// result is findWords' of what greedy decoding writes.
///
/// Throws what findWords throws, and Error "model.noSearch" for models that are only decoded greedily (Whisper).
protocol::WordsResult findBestWords(models::SpeechModel& model, const Matrix<float>& features, int count,
                                    const ArraySink& array, const models::CancelFlag* cancel = nullptr,
                                    bool explain = false);

/// Measures of mixing of one block of one decoder layer at the inputs of a WordsResult, with the checks of that block if they
/// are asked for. The other block is not analysed. Arrays: cross.mixing.NAME or self.mixing.NAME. Throws what analyseDecoder() throws, and Error "mixing.unknown".
protocol::WordMixingResult measureWords(models::SpeechModel& model, const Matrix<float>& features,
                                        const protocol::WordMixing& asked, const ArraySink& array,
                                        const models::CancelFlag* cancel = nullptr);

} // namespace headroom::training
