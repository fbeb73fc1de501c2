// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/decoding/long_recording.h"
#include "training/decoding/text_decoder.h"

#include <nlohmann/json.hpp>

namespace CLI {
class App;
}

namespace headroom::training {

/// Declares --beam, --length-penalty, --language-model and the other options of decoding.
void declareDecodingArguments(CLI::App& command, DecodingSettings& settings);
/// Also --window and --overlap.
void declareDecodingArguments(CLI::App& command, DecodingSettings& settings, WindowSettings& windows);
/// Throws CLI::ValidationError for options that no model could follow.
void checkDecodingArguments(const DecodingSettings& settings);
/// Also for windows; sets an overlap that was not given to a sixth of the window.
void checkDecodingArguments(const DecodingSettings& settings, WindowSettings& windows);
/// The settings as the value of `decoding` in a document: {kind: "greedy" | "beam" | "ctc", maxTokens, …}.
nlohmann::json decodingDocument(const DecodingSettings& settings);

} // namespace headroom::training
