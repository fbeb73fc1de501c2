// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/checkpoints/model_folder.h"
#include "models/checkpoints/named_tensors.h"
#include "models/layers/parameters.h"

#include <filesystem>
#include <optional>
#include <vector>

namespace headroom::models {

/// The text side of a transducer (Graves 2012; with durations TDT, Xu et al. 2023): a prediction network of
/// LSTM layers over the labels so far, and a joint network over its output and one token of the encoder. It
/// is decoded, and neither analysed nor trained.
struct Transducer {
    int vocabulary = 0; ///< labels, with the blank
    int width = 0;      ///< of the LSTM and the joint network
    int layers = 0;     ///< of the LSTM
    int blank = 0, start = 0;
    int mostSymbols = 10;       ///< at one token of the encoder
    std::vector<int> durations; ///< of TDT, in tokens of the encoder; empty: RNN-T
    /// The library's names: decoder.embedding, decoder.lstm.weight_ih_l0 …, decoder.decoder_projector,
    /// encoder_projector, joint.head.
    Parameters parameters;
    std::filesystem::path tokenizer; ///< empty: its labels have no text
    std::vector<std::string> assumed;
};

/// Reads the transducer of a Hugging Face folder from config.json and the tensors of its file; nullopt if the
/// model has none (there is no joint.head.weight). Throws Error "model.…" as readCheckpoint.
std::optional<Transducer> readTransducer(const ModelFolder& model, const NamedTensors& weights);

/// Whether a tensor of the file belongs to the transducer.
bool isOfTransducer(const std::string& name);

} // namespace headroom::models
