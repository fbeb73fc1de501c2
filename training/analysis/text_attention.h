// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/matrix/matrix.h"
#include "core/tensors/tensor.h"
#include "models/networks/speech_model.h"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace headroom::training {

/// What tells the tokens of a text source apart: source_pieces and source_ids. `features`: as sourceFeatures() makes them.
std::vector<std::pair<std::string, Tensor>> sourceArrays(const models::ModelInfo& model, const Matrix<float>& features);

/// decoder.inputs, decoder.outputs, and decoder.input_pieces where the model has a tokenizer.
std::vector<std::pair<std::string, Tensor>> decoderInputArrays(const models::ModelInfo& model,
                                                               const models::DecoderAnalysis& analysis);

/// Writes the attention over one recording (or source text) and of texts that were found for it, as NPZ under the names of
/// `analyse --maps --decoder` (training/worker/README.md): of the encoder layer.l.attention (layer.l.head.h.attention for heads
/// that read other keys), token_seconds or the pieces of a text; of the best text the decoder.… arrays, of the k-th
/// hypothesis.k.decoder.….
/// - `texts`: the ids behind the prompt, best first; the decoder reads them again, forced. Without a decoder they are not read.
/// - `prompt`: what the decoder reads before them.
///
/// Throws what analyse() and analyseDecoder() throw, and Error "npz.unwritable". The file appears only when it is whole.
void writeTextAttention(models::SpeechModel& model, const Matrix<float>& features, const std::vector<int>& prompt,
                        const std::vector<std::vector<int>>& texts, const std::filesystem::path& file);

} // namespace headroom::training
