// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/features/global_cmvn.h"
#include "training/data/examples.h"

#include <cstdint>
#include <vector>

namespace headroom::training {

/// Returns mean and deviation of the log-mel features over all frames of the examples, before any CMVN. Reads
/// every recording, on `threads` threads; the result does not depend on their number. Throws the errors of
/// loading, which name the utterance.
GlobalCmvn cmvnOf(const std::vector<Example>& examples, std::int64_t threads);

} // namespace headroom::training
