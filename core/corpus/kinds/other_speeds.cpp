// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/corpus/kinds/other_speeds.h"

#include "core/corpus/person.h"

#include <algorithm>

namespace headroom {

std::optional<double> repeatedSpeed(const std::vector<double>& speeds) {
    for (auto speed = speeds.begin(); speed != speeds.end(); ++speed)
        if (std::find(speeds.begin(), speed, *speed) != speed)
            return *speed;
    return std::nullopt;
}

SourceUtterance copyAtSpeed(const SourceUtterance& utterance, double speed) {
    auto copy = utterance;
    copy.speed = speed;
    const std::string prefix = speedPrefix(speed);
    copy.id = prefix + copy.id;
    if (!copy.speaker.empty())
        copy.speaker = prefix + copy.speaker;
    copy.alignment.clear();
    return copy;
}

} // namespace headroom
