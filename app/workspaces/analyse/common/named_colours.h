// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/look/colour_map.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

namespace headroom::app {

/// A colour map of values from 0 up, and what session files call it.
struct NamedColours {
    widgets::ColourMap::Name name;
    const char* text;
};
inline constexpr std::array<NamedColours, 4> kNamedColours{{{widgets::ColourMap::Name::Magma, "magma"},
                                                            {widgets::ColourMap::Name::Viridis, "viridis"},
                                                            {widgets::ColourMap::Name::Cividis, "cividis"},
                                                            {widgets::ColourMap::Name::Grey, "grey"}}};

/// `name`: one of kNamedColours.
inline const char* coloursText(widgets::ColourMap::Name name) {
    return std::ranges::find(kNamedColours, name, &NamedColours::name)->text;
}

inline widgets::ColourMap::Name coloursOf(const std::optional<std::string>& text, widgets::ColourMap::Name otherwise) {
    const auto* found = std::ranges::find_if(kNamedColours, [&](const NamedColours& one) { return text == one.text; });
    return found == kNamedColours.end() ? otherwise : found->name;
}

} // namespace headroom::app
