// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studies/study_colours.h"

#include "app/documents/model_list.h"
#include "app/documents/paths.h"

#include <algorithm>
#include <set>

namespace headroom::app {

namespace {

constexpr int kNoColour = -1;

template <class Is>
int colourWhere(const std::vector<ModelColour>& open, const Is& is) {
    const auto found = std::find_if(open.begin(), open.end(), is);
    return found == open.end() ? kNoColour : found->colour;
}

int openColour(const StudyModel& model, const std::vector<ModelColour>& open) {
    const std::filesystem::path folder = normalised(model.folder);
    const int colour = colourWhere(open, [&](const ModelColour& one) { return one.folder == folder; });
    return colour != kNoColour ? colour : colourWhere(open, [&](const ModelColour& one) {
        return !one.hash.empty() && one.hash == model.weightsHash;
    });
}

} // namespace

std::vector<ModelColour> modelColours(const ModelList& models) {
    std::vector<ModelColour> colours;
    for (int row = 0; row < models.count(); ++row) {
        const OpenModel& model = models.at(row);
        colours.push_back(
            {model.folder, model.info ? model.info->hash.toStdString() : std::string(), model.colour});
    }
    return colours;
}

std::vector<int> studyColours(const Study& study, const std::vector<ModelColour>& open) {
    std::set<int> taken;
    for (const ModelColour& model : open)
        taken.insert(model.colour);
    std::vector<int> colours;
    for (const StudyModel& model : study.models) {
        int colour = openColour(model, open);
        for (int free = 0; colour == kNoColour && free < kModelStyles; ++free)
            if (!taken.contains(free))
                colour = free;
        colours.push_back(colour == kNoColour ? static_cast<int>(colours.size()) % kModelStyles : colour);
        taken.insert(colours.back());
    }
    return colours;
}

} // namespace headroom::app
