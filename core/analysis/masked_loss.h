// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/head_groups.h"
#include "core/matrix/diagonal_profile.h"
#include "core/statistics/undefined.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace headroom {

/// CL of a layer of masked heads with a window of w tokens: the share of the map that they cannot see, which is
/// every later token and all that lies more than ⌊w/2⌋ tokens back. `window` 0: none, the mask alone. Is
/// contributionLoss() where the map is causal itself. NaN for an empty profile. Pure; safe on every thread.
inline double maskedContributionLoss(const DiagonalProfile& profile, std::int64_t window) {
    if (profile.empty())
        return kUndefined;
    double lost = 0;
    for (std::int64_t offset = 1; offset < profile.size(); ++offset) {
        lost += profile.at(offset);
        if (window > 0 && offset > window / 2)
            lost += profile.at(-offset);
    }
    return lost / profile.total();
}

/// Whether all heads of a layer are masked, so that no token sees a later one.
inline bool seeNothingLater(const std::vector<HeadGroup>& heads) {
    return !heads.empty() && std::all_of(heads.begin(), heads.end(), [](const HeadGroup& group) {
        return group.kind == HeadKind::Masked;
    });
}

} // namespace headroom
