// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/time/units.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <string>

namespace headroom {

struct Study;
struct StudyUtterance;

/// The rule for utterances that are too short to suggest windows: in a map of few tokens almost every diagonal has a mean
/// above t, so Algorithm 1 (Alastruey et al. 2022) returns nearly the whole map. The window leaves them out, live and in the studies that it
/// starts; a study in a terminal counts all utterances unless its settings `shortest` and `fewestWords` say otherwise.
inline constexpr Seconds kShortestForWindows{1.0}; ///< 25 tokens of 40 ms: N/10 is two of them
inline constexpr std::int64_t kFewestWordsForWindows = 10; ///< of a text

/// The least length that counts in a study with these settings, in seconds of a recording or words of a text. 0: every length counts.
double leastLengthIn(const nlohmann::json& settings, bool ofTexts);
/// The same as text: "1 s", for texts "10 words". Empty: every length counts.
std::string leastLength(const nlohmann::json& settings, bool ofTexts);
/// Whether an utterance is shorter than that. Its `seconds` must be known unless it is a text.
bool isTooShort(const nlohmann::json& settings, const StudyUtterance& utterance);
/// How many utterances of a study are left out as too short.
std::int64_t tooShortCount(const Study& study);

} // namespace headroom
