// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/corpus/kinds/source_reading.h"

#include <optional>
#include <vector>

namespace headroom {

/// Returns the first speed that occurs more than once. Its copies would have the same ids.
std::optional<double> repeatedSpeed(const std::vector<double>& speeds);

/// Returns the utterance at another speed: as sp0.9-ID of the speaker sp0.9-SPEAKER, without its alignment.
SourceUtterance copyAtSpeed(const SourceUtterance& utterance, double speed);

} // namespace headroom
