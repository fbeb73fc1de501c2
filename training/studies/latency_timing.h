// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/networks/speech_model.h"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace headroom::training {

/// Times encoders side by side, with the passes of inference, one recording at a time.
struct LatencyPlan {
    std::vector<std::int64_t> lengths; ///< tokens
    int warmUp = 2;                    ///< untimed passes per model and length
    int repeats = 15;                  ///< timed passes
    int threads = 1;                   ///< of each pass
    std::uint64_t seed = 1;            ///< samples the features, which do not affect times
};

/// [length][repeat] of one model.
using LatencyTimes = std::vector<std::vector<models::EncoderTimes>>;

/// Interleaves: every round times every length, and each length every model in turn, so that other load
/// affects all of them; the repeats of two models are pairs. Sets the number of threads while it runs. Throws
/// Error "study.setting" for a length that a model does not accept, models::Cancelled.
/// - `times`, by model: the rounds of an earlier sitting, or empty; receives each round when it is complete, after its own passes
///   to warm up. `onRound`, which may be empty, is told.
void timeEncoders(std::span<models::SpeechModel* const> models, const LatencyPlan& plan,
                  const std::function<void(std::int64_t done, std::int64_t total)>& onProgress,
                  const models::CancelFlag* cancel, std::vector<LatencyTimes>& times, const std::function<void()>& onRound = {});

/// Returns the smallest number of frames that gives `tokens` tokens.
std::int64_t framesFor(const models::SpeechModel& model, std::int64_t tokens);

} // namespace headroom::training
