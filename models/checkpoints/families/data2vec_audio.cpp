// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/checkpoints/families/waveform_family.h"

namespace headroom::models {

/// Baevski et al. 2022.
Family data2vecAudioFamily() {
    return {"data2vec-audio", [](const HuggingFaceFolder& folder, ModelFolder& model) {
                WaveformForm form{.prefix = "data2vec_audio."};
                form.alwaysLayerNormed = form.severalPositions = true;
                describeWaveformFamily(folder, form, model);
            }};
}

} // namespace headroom::models
