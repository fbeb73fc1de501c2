// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studies/study_colours.h"

#include "app/documents/items/paths.h"
#include "app/documents/model_list.h"

#include <algorithm>
#include <utility>

namespace headroom::app {

namespace {

constexpr int kNoColour = -1;
/// Open models get theirs from 0 up, so these are given from here down. The other half are the dashes of a model's attention (Latency).
constexpr int kFirstGiven = kModelStyles / 2 - 1;

template <class Is>
int colourWhere(const std::vector<ModelColour>& open, const Is& is) {
    const auto found = std::find_if(open.begin(), open.end(), is);
    return found == open.end() ? kNoColour : found->colour;
}

/// A document that was written to time a draft or what it began as.
bool isArchitectureAlone(const StudyModel& model) {
    return model.weightsHash.empty() && !model.maps;
}

int openColour(const StudyModel& model, const std::vector<ModelColour>& open) {
    const std::filesystem::path folder = normalised(model.folder);
    const int colour = colourWhere(open, [&](const ModelColour& one) { return one.folder == folder; });
    if (colour != kNoColour)
        return colour;
    return colourWhere(open, [&](const ModelColour& one) {
        return isArchitectureAlone(model) ? one.name == model.name : !one.hash.empty() && one.hash == model.weightsHash;
    });
}

std::string keyOf(const StudyModel& model) {
    return isArchitectureAlone(model) ? model.name : model.folder + '\n' + model.weightsHash;
}

} // namespace

std::vector<ModelColour> modelColours(const ModelList& models) {
    std::vector<ModelColour> colours;
    for (int row = 0; row < models.count(); ++row) {
        const OpenModel& model = models.at(row);
        colours.push_back(
            {model.folder, model.info ? model.info->hash.toStdString() : std::string(), model.shownName().toStdString(), model.colour});
    }
    return colours;
}

bool StudyColours::setOpen(std::vector<ModelColour> open) {
    if (open == m_open)
        return false;
    m_open = std::move(open);
    return true;
}

std::vector<int> StudyColours::of(const Study& study) {
    std::vector<int> colours;
    for (const StudyModel& model : study.models) {
        const int colour = openColour(model, m_open);
        colours.push_back(colour == kNoColour ? given(model) : colour);
    }
    return colours;
}

int StudyColours::given(const StudyModel& model) {
    const auto [place, isNew] = m_given.try_emplace(keyOf(model), kNoColour);
    if (!isNew)
        return place->second;
    const auto isTaken = [&](int colour) {
        return std::ranges::any_of(m_open, [&](const ModelColour& one) { return one.colour == colour; }) ||
               std::ranges::any_of(m_given, [&](const auto& one) { return one.second == colour; });
    };
    int colour = kFirstGiven;
    for (int tried = 1; tried < kModelStyles && isTaken(colour); ++tried)
        colour = (kFirstGiven - tried + kModelStyles) % kModelStyles;
    return place->second = colour;
}

} // namespace headroom::app
