// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/errors/error.h"
#include "models/checkpoints/model_info.h"

#include <string>

namespace headroom::training {

/// Refuses a model whose output has no text. A tokenizer beside an encoder alone says nothing, so what is missing first is the output.
inline void refuseWithoutText(const models::ModelInfo& model, const std::string& name) {
    const Architecture& architecture = model.architecture;
    if (!model.tokenizer.empty())
        return;
    const bool isEncoder = !architecture.decoder && !architecture.ctc && !architecture.languageModel;
    const bool isWaveform = architecture.frontEnd.reads == InputKind::Waveform; // whose toolkit calls the CTC output lm_head
    throw Error(isEncoder ? "model.noCtc" : "model.noTokenizer",
                "The model " + name +
                    (isEncoder ? std::string(" has no CTC output ") + (isWaveform ? "(no lm_head) " : "") + "and no decoder, so it writes no text."
                               : " has no tokenizer, so its output has no text."));
}

} // namespace headroom::training
