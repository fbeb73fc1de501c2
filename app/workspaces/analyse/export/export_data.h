// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/items/analysis.h"

#include <filesystem>

namespace headroom::app {

/// The map on the screen as a table: first row the keys' times, first column the queries', in seconds, of a text the tokens'
/// numbers from 0, and a last column with their pieces. Every number in the precision it is held in. Throws Error "export.unwritable".
void writeCsv(const std::filesystem::path& file, const MaxPyramid& map, const AnalysisResult& result);

/// A second map beside the current one.
struct ShownBeside {
    std::string nameA, nameB; ///< "Layer 2 of demo, contributions"
    const MaxPyramid* a = nullptr;                   ///< borrowed, not null
    std::shared_ptr<const MaxPyramid> b, difference; ///< difference: null where it is not shown
    const AnalysisResult* resultB = nullptr;            ///< not null
};

/// Everything known about one layer, under the names of `analyse` (token_seconds, source_pieces of a text, layer.l.contributions,
/// layer.l.contribution_profile, layer.l.attention_profile, layer.l.head_relevance, layer.l.rebuild_error,
/// layer.l.gram_error, and layer.l.attention and layer.l.mixing.NAME where they were fetched; a measure of words or phones, as
/// drawn on the tokens, is called NAME-of-words or NAME-of-phones). With a map beside it also a.map, b.map, a_minus_b where it is shown,
/// b.token_seconds and the names a.name and b.name, u8 as source_pieces. Throws Error "npz.unwritable", and
/// "export.notReady" for a layer that was not read yet.
void writeNpz(const std::filesystem::path& file, const AnalysisResult& result, int layer, const ShownBeside* beside = nullptr);

/// What is shown in the place of the encoder's map: a text over the tokens of `result`, or over itself.
struct ShownWords {
    std::shared_ptr<const SpokenWords> words; ///< not null
    std::shared_ptr<const MaxPyramid> map;    ///< not null; a row for each piece
    WordsBlock block = WordsBlock::Cross;
    int layer = 0;                     ///< of the decoder, from 1; 0: the map is the CTC output's
    const WordsState* state = nullptr; ///< that the words are of
};

/// The map on the screen: first column the pieces' numbers from 0, last column their texts, first row as
/// above; of self-attention the numbers of the tokens that the decoder reads. Throws Error
/// "export.unwritable".
void writeCsv(const std::filesystem::path& file, const ShownWords& shown, const AnalysisResult& result);

/// Everything known about one decoder layer, under the names of `analyse --decoder`
/// (decoder.layer.l.cross.attention, decoder.layer.l.self.attention, …mixing.NAME, …rebuild_error,
/// …gram_error; decoder.inputs, decoder.input_pieces; token_seconds, source_pieces of a text), with a row for
/// each piece of the text: decoder.pieces, u8 as source_pieces. ctc.probabilities [pieces, N] of a model with
/// a CTC output. Throws Error "npz.unwritable".
void writeNpz(const std::filesystem::path& file, const ShownWords& shown, const AnalysisResult& result);

} // namespace headroom::app
