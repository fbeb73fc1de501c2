// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/checkpoints/families/waveform_family.h"

namespace headroom::models {

/// Hsu et al. 2021.
Family hubertFamily() {
    return {"HuBERT", [](const HuggingFaceFolder& folder, ModelFolder& model) {
                WaveformForm form{.prefix = "hubert."};
                form.adapters = true;
                describeWaveformFamily(folder, form, model);
            }};
}

} // namespace headroom::models
