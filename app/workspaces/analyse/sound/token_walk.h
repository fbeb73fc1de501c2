// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/alignment/text_grid.h"
#include "core/time/clocks.h"

#include <optional>

namespace headroom::app {

// Where the cursor goes by keyboard. Pure.

/// The centre of the token `by` steps from the one under `time`, kept within the recording's tokens. With no
/// tokens (no model): 40 ms steps within [0, extent]. Pure.
Seconds steppedByToken(Seconds time, int by, const TokenClock& clock, Tokens count, Seconds extent);
/// The start of the next word after `time` (direction > 0) or of the last one before it; the end or start of
/// the recording where there is none. Silences are no words.
Seconds steppedByWord(Seconds time, int direction, const std::vector<Interval>& words, Seconds extent);

} // namespace headroom::app
