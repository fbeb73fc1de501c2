// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/studies/phone_reference.h"
#include "training/studies/phones_summary.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace headroom::training {

/// What the tables of a study of phones are made of.
struct PhoneFindings {
    const Study& study;
    std::span<const PhoneSummary> models;
    /// One per model; nothing where the model is the reference itself, or there is none.
    const std::vector<std::optional<PhoneSummary::Coverage>>& coverage;
    const std::optional<PhoneReference>& reference;
    PhoneMode mode = PhoneMode::Mean;
    int largest = 10;
    int coverageDraws = 0; ///< of the bootstrap
};

/// Heads, layers and halves, coverage, classes, the maps of both halves with their counts; two models or
/// more: their comparison.
std::vector<StudyTable> phoneTables(const PhoneFindings& findings);

} // namespace headroom::training
