// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace headroom {

/// The most pieces that a vocabulary may have, in a document and in a file of somebody else's: more is a damaged number.
inline constexpr int kLargestVocabulary = 10'000'000;

} // namespace headroom
