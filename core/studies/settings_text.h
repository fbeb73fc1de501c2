// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/studies/study.h"

#include <string>
#include <string_view>
#include <vector>

namespace headroom {

/// What a setting is called in a caption: "phone map", "averaging". Empty for what a caption leaves out, because no number
/// or figure depends on it. Throws std::logic_error for a key that no kind has.
std::string_view settingTitle(StudyKind kind, std::string_view key);

/// One setting in the words of a caption: "averaging", "mean of utterances". The value is empty where the title says all.
struct SettingWords {
    std::string title, value;
};
/// In the order of settingsText(), which joins them.
std::vector<SettingWords> settingWords(StudyKind kind, const nlohmann::json& settings);

/// The settings of a study in the words of a caption: "averaging: mean of utterances; phone map: ARPABET (75accf5eafb1)".
/// Settings without an effect on this study are left out; study.json has all of them. Empty: there are none.
std::string settingsText(StudyKind kind, const nlohmann::json& settings);

} // namespace headroom
