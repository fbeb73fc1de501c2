// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>

namespace headroom::training {

/// The draft of a study is kept in its folder as draft.json (canonical text), because the file that it was read from
/// may change before the study is resumed. All functions throw the errors of readArchitecture.

/// Returns the draft in a study's folder, or an empty path if the study has none.
std::filesystem::path keptDraft(const std::filesystem::path& study);

/// Throws Error "study.otherFolder" if the folder of a new study without a draft holds a draft.json.
void requireNoDraft(const std::filesystem::path& study);

/// Writes `draft` into the folder of a study and returns the name of its architecture. Throws Error
/// "study.unwritable".
std::string keepDraft(const std::filesystem::path& study, const std::filesystem::path& draft);

/// Returns whether `draft` (empty: none) says what the draft in the study's folder says.
bool isKeptDraft(const std::filesystem::path& study, const std::filesystem::path& draft);

} // namespace headroom::training
