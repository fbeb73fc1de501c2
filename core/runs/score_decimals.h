// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace headroom {

/// With how many decimals scores are written: those of one run must look the same in a table, a message and a log.
inline constexpr int kScoreDecimals = 2; ///< WER in per cent, BLEU, perplexity
inline constexpr int kLossDecimals = 3;

} // namespace headroom
