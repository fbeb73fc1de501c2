// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/studies/study.h"

#include <string>
#include <string_view>
#include <vector>

namespace headroom {

// What a study says to its readers. A note on one model begins with its name, "demo: 4 tokens …"; every other is about the study.

/// How notes of a heads study on one quantity begin; a table without that quantity does not show them.
inline constexpr std::string_view kAboutCad = "CAD: ", kAboutSilence = "Share on silence: ";

/// The notes that concern these models (from 0) of the study. What holds for several is said once: "demo; st-small: 4 tokens …".
/// Pure; thread-safe.
std::vector<std::string> notesAbout(const Study& study, const std::vector<int>& models);
/// Of all models.
std::vector<std::string> allNotes(const Study& study);
/// The same of notes that are not in the study yet.
std::vector<std::string> merged(const std::vector<std::string>& notes, const std::vector<StudyModel>& models);

} // namespace headroom
