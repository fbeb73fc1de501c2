// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/studies/study_request.h"

namespace headroom::training {

/// The utterances of a study, before any is opened.
struct StudySample {
    std::string data, split, task; ///< as Study
    std::int64_t population = 0;
    std::vector<StudyUtterance> utterances;
    std::vector<std::string>
        problems; ///< rows of the corpus that are not as they should be, one sentence each
};

/// Draws request.utterances of the corpus without replacement, the same for the same seed everywhere, and
/// keeps them in the corpus' order; recordings that were named are all taken, with the TextGrid of the same
/// stem. Throws what Corpus throws, and Error "study.noUtterances".
StudySample drawSample(const StudyRequest& request);

/// `count` different numbers below `population`, ascending.
std::vector<std::int64_t> drawWithoutReplacement(std::int64_t population, std::int64_t count,
                                                 std::uint64_t seed);

} // namespace headroom::training
