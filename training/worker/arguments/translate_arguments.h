// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/decoding/text_decoder.h"

#include <filesystem>
#include <vector>

namespace CLI {
class App;
}

namespace headroom::training {

/// `translate`: text files through a model that reads text.
struct TranslateOptions {
    std::filesystem::path model;
    std::vector<std::filesystem::path> texts; ///< one sentence a line
    DecodingSettings decoding;
};

/// Declares `translate --model M TEXTFILE…` with the options of decoding. Options must live as long as the
/// app.
CLI::App* declareTranslateArguments(CLI::App& app, TranslateOptions& options, bool& json);

} // namespace headroom::training
