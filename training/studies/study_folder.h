// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/studies/study_work.h"

#include <filesystem>

namespace headroom::training {

/// Writes results.npz, places.npz and tables/ of a study that was summarised; study.json is written by
/// whoever ends it, after them. Throws Error "study.unwritable", "npz.unwritable".
void writeStudyResults(const std::filesystem::path& folder, const StudyResults& results);

/// example.npz: `m.token_seconds` and `m.layer.l.contributions` of one utterance through every source, which
/// is computed here. Returns the utterance's id: `wanted`, or the first that was measured where that is
/// empty. Throws Error "study.setting" where no measured utterance has that id, and what analysing throws.
std::string writeStudyExample(const std::filesystem::path& folder, const Study& study,
                              const std::string& wanted,
                              std::span<const std::unique_ptr<LayerSource>> sources,
                              const models::CancelFlag& cancel);

} // namespace headroom::training
