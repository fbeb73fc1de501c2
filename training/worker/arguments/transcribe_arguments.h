// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/decoding/long_recording.h"
#include "training/decoding/text_decoder.h"

#include <filesystem>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace headroom::training {

struct TranscribeOptions {
    std::filesystem::path model;
    std::vector<std::filesystem::path> audio;
    DecodingSettings decoding;
    std::string language, task; ///< tokens of the prompt, as Whisper has them; empty: as the model's rules say
    bool timestamps = false;    ///< with time tokens
    bool alignment = false;     ///< with the times of the best text's words (training/analysis/find_words.h)
    WindowSettings windows;     ///< of long recordings
    std::filesystem::path attention; ///< folder for the attention of the texts (training/analysis/text_attention.h); empty: none

    bool asksForTokens() const { return !language.empty() || !task.empty() || timestamps; }
};
/// Declares the subcommand `transcribe`.
CLI::App* declareTranscribeArguments(CLI::App& app, TranscribeOptions& options, bool& json);
/// Completes the options, and throws CLI::ValidationError for options that no model could follow.
void checkTranscribeArguments(TranscribeOptions& options, bool json);

} // namespace headroom::training
