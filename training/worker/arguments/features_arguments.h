// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <vector>

namespace CLI {
class App;
}

namespace headroom::training {

struct FeaturesOptions {
    std::vector<std::filesystem::path> audio;
    std::filesystem::path out;
    bool raw = false;
    bool pitch = false; ///< 83 columns: three of pitch behind the mel bins
};

/// Declares `features AUDIO… --out DIR`. Options must outlive the parser.
CLI::App* declareFeaturesArguments(CLI::App& app, FeaturesOptions& options);

} // namespace headroom::training
