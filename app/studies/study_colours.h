// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/studies/study.h"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace headroom::app {

class ModelList;

/// An open model, and the colour and dash that its curves have everywhere (runPen).
struct ModelColour {
    std::filesystem::path folder;
    std::string hash; ///< of its weights; empty while unknown
    std::string name; ///< on the screen
    int colour = 0;
    bool operator==(const ModelColour&) const = default;
};
std::vector<ModelColour> modelColours(const ModelList& models);

/// The colours and dashes of the models of all studies. A value.
class StudyColours {
public:
    /// Whether anything is different now.
    bool setOpen(std::vector<ModelColour> open);
    /// Of each model of a study: that of the session where the model is open, by its folder, its weights or, of an architecture
    /// without weights, its name. Any other model keeps the one that it gets here first, whatever is opened later; it is one
    /// that no open model has, as long as there is one.
    std::vector<int> of(const Study& study);

private:
    int given(const StudyModel& model);

    std::vector<ModelColour> m_open;
    std::map<std::string, int> m_given; ///< to models that were not open
};

} // namespace headroom::app
