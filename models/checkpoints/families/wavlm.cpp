// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/checkpoints/families/waveform_family.h"

namespace headroom::models {

/// Chen et al. 2022.
Family wavlmFamily() {
    return {"WavLM", [](const HuggingFaceFolder& folder, ModelFolder& model) {
                WaveformForm form{.prefix = "wavlm."};
                form.relativeBias = true;
                describeWaveformFamily(folder, form, model);
            }};
}

} // namespace headroom::models
