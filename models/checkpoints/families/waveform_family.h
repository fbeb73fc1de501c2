// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/checkpoints/families/family.h"

namespace headroom::models {

/// In what the families that read samples differ. They share the encoder of wav2vec 2.0 (Baevski et al. 2020).
struct WaveformForm {
    std::string prefix;                 ///< of names of tensors under a head: "wav2vec2."
    bool alwaysLayerNormed = false;     ///< LayerNorm after every convolution, post-norm layers, no keys for both
    bool severalPositions = false;      ///< “num_conv_pos_embeddings” counts convolutions (data2vec)
    bool relativeBias = false;          ///< gated relative position bias (WavLM)
    bool adapters = false;              ///< “adapter_attn_dim” (MMS; HuBERT has the key too)
    std::vector<std::string> leftOut{}; ///< more beginnings of names that play no part in the encoder
};

/// Describes a folder of such a family: every switch is read from config.json; what it does not define has the
/// library's default and a sentence in `assumed`.
void describeWaveformFamily(const HuggingFaceFolder& folder, const WaveformForm& form, ModelFolder& model);

} // namespace headroom::models
