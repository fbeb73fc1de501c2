// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/worker/console.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace headroom::training {

struct FiguresOptions {
    std::filesystem::path study, out; ///< out: empty: figures/ of the study
    std::vector<std::string> formats{"svg", "pdf", "png"};
    std::string width; ///< of figureWidth(); empty: the default of each figure
    double dotsPerInch = 300;
    bool json = false;
};

/// Parses "column", "page", or a length: "3.25in", "85mm", "8.5cm", "234pt", "234". In points; `nullopt` for
/// anything else.
std::optional<double> figureWidth(const std::string& text);

/// Declares `figures` with its arguments, which must outlive the parser; the caller sets the callback.
CLI::App* declareFiguresArguments(CLI::App& app, FiguresOptions& options);
/// Redraws the figures of a finished study.
void figuresOfStudy(const FiguresOptions& options, Console& console);

} // namespace headroom::training
