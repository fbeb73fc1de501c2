// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/alignment/validator.h"
#include "widgets/tiers/tier_lane.h"

#include <QString>

#include <vector>

namespace headroom::app {

/// The spans of what was found in one tier; what concerns the whole tier is no mark. Null: not checked yet.
inline std::vector<widgets::TierLane::Mark> marksOf(const AlignmentReport* report, AlignmentFinding::Tier tier) {
    std::vector<widgets::TierLane::Mark> marks;
    if (report)
        for (const AlignmentFinding& finding : report->findings)
            if (finding.tier == tier && finding.end > Seconds(0) &&
                (finding.start > Seconds(0) || !finding.label.empty()))
                marks.push_back({finding.start, finding.end, QString::fromStdString(finding.sentence)});
    return marks;
}

} // namespace headroom::app
