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
        problems; ///< invalid rows of the corpus, one sentence each
};

/// Samples request.utterances of the corpus without replacement, the same for the same seed everywhere, in
/// corpus order. Recordings given by name are all used, with the TextGrid of the same stem. Throws the errors
/// of Corpus, and Error "study.noUtterances".
StudySample drawSample(const StudyRequest& request);

/// Returns `count` distinct numbers below `population`, ascending.
std::vector<std::int64_t> drawWithoutReplacement(std::int64_t population, std::int64_t count,
                                                 std::uint64_t seed);

} // namespace headroom::training
