// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/sound/token_walk.h"

#include <algorithm>

namespace headroom::app {

namespace {
constexpr Seconds kStepWithoutModel{0.040};
/// A cursor standing on a word's start counts as standing there, whatever rounding did to it.
constexpr Seconds kSame{1e-6};
} // namespace

Seconds steppedByToken(Seconds time, int by, const TokenClock& clock, Tokens count, Seconds extent) {
    if (count.value() < 1)
        return std::clamp(time + kStepWithoutModel * double(by), Seconds(0), extent);
    const auto token = clock.tokenAt(time, count).value() + by;
    return clock.cellCentre(Tokens(std::clamp<std::int64_t>(token, 0, count.value() - 1)));
}

Seconds steppedByWord(Seconds time, int direction, const std::vector<Interval>& words, Seconds extent) {
    if (direction > 0) {
        for (const Interval& word : words)
            if (!word.label.empty() && word.start > time + kSame)
                return word.start;
        return extent;
    }
    for (auto word = words.rbegin(); word != words.rend(); ++word)
        if (!word->label.empty() && word->start < time - kSame)
            return word->start;
    return Seconds(0);
}

} // namespace headroom::app
