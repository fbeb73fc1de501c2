// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

namespace headroom::training {

/// Utterances of similar length together, as fairseq does: sorted by length, longest first (equals in the
/// order given), then greedily as many as keep longest × count ≤ maxFrames (and count ≤ maxUtterances,
/// where that is not 0). Returns indices into `frames`. An utterance longer than maxFrames gets a batch of
/// its own.
std::vector<std::vector<std::int64_t>> makeBatches(const std::vector<std::int64_t>& frames,
                                                   std::int64_t maxFrames, std::int64_t maxUtterances);

/// The order of the batches in an epoch (from 1): a shuffle that follows from seed and epoch alone.
std::vector<std::int64_t> epochOrder(std::int64_t batches, std::uint64_t seed, std::int64_t epoch);

} // namespace headroom::training
