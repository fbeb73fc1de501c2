// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace headroom {

/// Utterances outside are left out. In frames of 10 ms, or in tokens for a recipe that reads text.
struct LengthLimits {
    std::int64_t least = 5, most = 3000; ///< both kept
    bool contains(std::int64_t length) const { return length >= least && length <= most; }
    bool operator==(const LengthLimits&) const = default;
};

/// What a recipe keeps of each split (Recipe::Data::limits).
struct SplitLimits {
    LengthLimits training, validation;
    std::string validationSplit; ///< one that is not trained on, too; empty: none
    bool onlyValidates(const std::string& split) const { return !validationSplit.empty() && split == validationSplit; }
    /// A split that the recipe does not name is taken for one to train on.
    const LengthLimits& of(const std::string& split) const { return onlyValidates(split) ? validation : training; }
    bool operator==(const SplitLimits&) const = default;
};

} // namespace headroom
