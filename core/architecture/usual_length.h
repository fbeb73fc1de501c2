// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"
#include "core/time/units.h"

namespace headroom {

/// Where nobody chose a length, costs are those of 30 s of speech, or of a sentence of this many tokens: the mean of the source
/// sentences of IWSLT14 De-En (resources/experiments/relaxed-3.json has the counts).
inline constexpr int kUsualSeconds = 30, kUsualTextTokens = 25;

/// Whether the encoder, or the language model, reads tokens of text, which have no duration.
inline bool readsText(const Architecture& architecture) {
    return architecture.languageModel || architecture.frontEnd.reads == InputKind::Text;
}

/// In input frames, which are the tokens of a text.
inline std::int64_t usualFrames(const Architecture& architecture) {
    return readsText(architecture) ? kUsualTextTokens
                                   : architecture.frontEnd.input().frameCount(kModelSampleRate.nearest(Seconds(kUsualSeconds))).value();
}

} // namespace headroom
