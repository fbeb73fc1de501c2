// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/studies/study_work.h"

#include <filesystem>

namespace headroom::training {

/// Writes results.npz, places.npz and tables/ of a summarised study; the caller then writes study.json.
/// Throws Error "study.unwritable", "npz.unwritable".
void writeStudyResults(const std::filesystem::path& folder, const StudyResults& results);

/// Writes example.npz: `m.token_seconds` and `m.layer.l.contributions` of one utterance through every source,
/// computed here. Returns the utterance's id: `wanted`, or that of one of median length if empty. Throws Error
/// "study.setting" if no measured utterance has that id, and the errors of analysing.
std::string writeStudyExample(const std::filesystem::path& folder, const Study& study,
                              const std::string& wanted,
                              std::span<const std::unique_ptr<LayerSource>> sources,
                              const models::CancelFlag& cancel);

} // namespace headroom::training
