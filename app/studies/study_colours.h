// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/studies/study.h"

#include <filesystem>
#include <string>
#include <vector>

namespace headroom::app {

class ModelList;

/// An open model, and the colour and dash that its curves have everywhere (runPen).
struct ModelColour {
    std::filesystem::path folder;
    std::string hash; ///< of its weights; empty while unknown
    int colour = 0;
    bool operator==(const ModelColour&) const = default;
};
std::vector<ModelColour> modelColours(const ModelList& models);

/// Colour and dash of each model of a study: that of the session where the model is open, by its folder or
/// else by its weights; otherwise one that no open model has, as long as there is one. Pure.
std::vector<int> studyColours(const Study& study, const std::vector<ModelColour>& open);

} // namespace headroom::app
