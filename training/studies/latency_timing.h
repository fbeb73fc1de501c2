// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/networks/speech_model.h"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace headroom::training {

/// Encoders timed side by side. The passes are inference's own, one recording at a time.
struct LatencyPlan {
    std::vector<std::int64_t> lengths; ///< tokens
    int warmUp = 2;                    ///< passes of each model and length that are not counted
    int repeats = 15;                  ///< passes that are
    int threads = 1;                   ///< of each pass
    std::uint64_t seed = 1;            ///< draws the features, which no time depends on
};

/// [length][repeat] of one model.
using LatencyTimes = std::vector<std::vector<models::EncoderTimes>>;

/// By turns: every round times every length, and there every model after the other, so that what the machine
/// does meanwhile meets all of them; the repeats of two models are pairs. Sets the number of threads for as
/// long as it runs. Throws Error "study.setting" for a length that a model does not take, models::Cancelled.
std::vector<LatencyTimes> timeEncoders(std::span<models::SpeechModel* const> models, const LatencyPlan& plan,
                                       const std::function<void(std::int64_t done, std::int64_t total)>& tell,
                                       const models::CancelFlag* cancel);

/// The fewest frames of which the model makes so many tokens.
std::int64_t framesFor(const models::SpeechModel& model, std::int64_t tokens);

/// "AMD EPYC 7B13", as the machine says it; "this machine" where it does not.
std::string processorName();

} // namespace headroom::training
