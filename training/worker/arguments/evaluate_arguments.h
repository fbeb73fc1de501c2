// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/decoding/long_recording.h"
#include "training/decoding/text_decoder.h"

#include <filesystem>
#include <string>

namespace CLI {
class App;
}

namespace headroom::training {

struct EvaluateOptions {
    std::filesystem::path model, data, out;
    std::filesystem::path draft; ///< an architecture whose heads the model runs untrained; empty: its own
    std::string split = "test", task; ///< task: may be empty if the corpus has only one
    /// Spoken: of MMS's adapters, or for the prompt of Whisper; empty: as the model or the corpus says.
    std::string language;
    std::string checkpoint; ///< of a run, whose model/ `model` is: "best", "last"; empty: what the run exported
    std::string device = "auto"; ///< for progress.json
    bool attention = false;      ///< also write the attention of the texts (training/analysis/text_attention.h)
    std::filesystem::path glm;   ///< mapping rules, for sclite's word errors beside the others; empty: none
    DecodingSettings decoding;
    WindowSettings windows;           ///< of long recordings
    std::string place;                ///< of core/places, by name; empty: this machine
    bool leaves = false;              ///< at a place: a signal ends the watching, not the evaluation
};

/// Adds `evaluate` to a parser that fills the options, without --json. `options` outlives the parser.
CLI::App* declareEvaluateArguments(CLI::App& app, EvaluateOptions& options);

} // namespace headroom::training
