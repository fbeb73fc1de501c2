// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/alignment/phone_map.h"
#include "training/studies/study_work.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace headroom::training {

// The measurement of one utterance for a probe:
//
//   states   f16 [L + 1, N, d]   the input of layer 1, and what each layer passes on
//   classes  i32 [N]             0 … 36; −1: unknown, left out
//   unknown, uncovered           phone_labels.h

/// Throws Error "study.range" if a state does not fit into half precision, and the errors of phoneLabels().
Measurement measureStates(LayerSource& source, const StudyInput& input, const PhoneMap& map,
                          const models::CancelFlag* cancel);

/// The training and test utterances.
struct ProbeSplit {
    std::vector<bool> train, test; ///< one per utterance; failed ones are in neither
    bool bySpeaker = false;
    std::int64_t trainSpeakers = 0, testSpeakers = 0; ///< utterances if not split by speaker
    std::int64_t trainAlone = 0, testAlone = 0;       ///< in addition: utterances without a known speaker
};
/// Assigns speakers, in an order sampled from the seed, to the test set as long as that brings its tokens
/// nearer to `testShare` of all; at least one on each side. Splits by utterance if fewer than two speakers
/// are known among those measured. `tokens`: 0 for a failed utterance. Throws Error "study.tooFew" for fewer
/// than two utterances.
ProbeSplit splitForProbe(std::span<const StudyUtterance> utterances, std::span<const std::int64_t> tokens,
                         double testShare, std::uint64_t seed);

/// The labelled tokens of some utterances at one layer.
struct ProbeTokens {
    Matrix<float> states;        ///< [tokens, d]
    std::vector<int> classes;    ///< 0 … 36
    std::vector<int> utterances; ///< index of each token's utterance
    std::vector<int> tokens;     ///< the token's index there
};
ProbeTokens tokensAt(std::int64_t layer, const std::vector<Measurement>& utterances,
                     const std::vector<bool>& chosen);
/// Returns the number of labelled tokens of an utterance; 0 for an empty measurement.
std::int64_t labelledTokens(const Measurement& measurement);

} // namespace headroom::training
