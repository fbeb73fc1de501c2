// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/experiments/training_hours.h"
#include "training/worker/console.h"

#include <limits>
#include <map>
#include <optional>
#include <string>

namespace headroom::training {

struct TrainingRate {
    double framesPerSecond = 0;
    /// How much of the processors this process got while it was measured, 0 … 1: less on a busy machine. NaN: not measured, or on a
    /// GPU.
    double processorShare = std::numeric_limits<double>::quiet_NaN();
};

/// Frames of training data per second on this machine, measured once for each architecture, loss and precision with
/// measureThroughput() on noise and random tokens whose length is the mean of the corpus that comes first. On a processor a batch has
/// at most kMeasuredBatchFrames.
class TrainingRates {
public:
    static constexpr std::int64_t kMeasuredBatchFrames = 4000;

    /// `given`: is the rate of every training; nothing is measured.
    TrainingRates(std::optional<double> given, Console& console) : m_given(given), m_console(console) {}

    /// Without an extent, utterances of ten seconds or 25 tokens. Throws what training throws.
    TrainingRate of(const PlannedStep& training, const std::optional<CorpusExtent>& corpus);

private:
    std::optional<double> m_given;
    Console& m_console;
    std::map<std::string, TrainingRate> m_measured;
};

} // namespace headroom::training
