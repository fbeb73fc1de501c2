// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

namespace headroom::training {

/// Groups utterances of similar length as fairseq does: sorted by length, longest first (equal lengths in the
/// given order), then greedily as many as keep longest × count ≤ maxFrames (and count ≤ maxUtterances, if not
/// 0). Returns indices into `frames`. An utterance longer than maxFrames gets a batch of its own.
std::vector<std::vector<std::int64_t>> makeBatches(const std::vector<std::int64_t>& frames,
                                                   std::int64_t maxFrames, std::int64_t maxUtterances);

/// Returns the order of the batches in an epoch (from 1): a shuffle determined by seed and epoch.
std::vector<std::int64_t> epochOrder(std::int64_t batches, std::uint64_t seed, std::int64_t epoch);

} // namespace headroom::training
