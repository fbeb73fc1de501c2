// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/studies/phones/phone_reference.h"
#include "training/studies/phones/phones_summary.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace headroom::training {

/// The inputs of the tables of a study of phones.
struct PhoneFindings {
    const Study& study;
    std::span<const PhoneSummary> models;
    /// One per model; `nullopt` if the model is the reference itself, or there is none.
    const std::vector<std::optional<PhoneSummary::Coverage>>& coverage;
    const std::optional<PhoneReference>& reference;
    PhoneMode mode = PhoneMode::Mean;
    int largest = 10;
    int coverageDraws = 0; ///< of the bootstrap
};

/// Returns the tables of heads, layers and halves, coverage, classes, the maps of both halves with their
/// counts; for two or more models also their comparison.
std::vector<StudyTable> phoneTables(const PhoneFindings& findings);

} // namespace headroom::training
