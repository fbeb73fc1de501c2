// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/checkpoints/families/waveform_family.h"

namespace headroom::models {

/// Baevski et al. 2020; XLS-R; MMS with an adapter in every layer (Pratap et al. 2023).
Family wav2vec2Family() {
    return {"wav2vec 2.0", [](const HuggingFaceFolder& folder, ModelFolder& model) {
                WaveformForm form{.prefix = "wav2vec2."};
                form.adapters = true;
                form.leftOut = {"quantizer.", "project_q.", "project_hid."}; // of pre-training
                describeWaveformFamily(folder, form, model);
            }};
}

} // namespace headroom::models
