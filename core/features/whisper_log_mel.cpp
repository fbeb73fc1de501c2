// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/features/whisper_log_mel.h"

#include "core/errors/error.h"
#include "core/features/mel_filters.h"
#include "core/features/power_spectrum.h"
#include "core/time/seconds_text.h"
#include "core/time/units.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

namespace headroom {

namespace {

constexpr int kWhisperWindow = 400, kWhisperHop = 160;

void checkWhisperLength(std::span<const float> samples) {
    const auto count = static_cast<std::int64_t>(samples.size());
    if (count == 0)
        throw Error("features.tooShort", "The recording has no samples.", {{"samples", 0}, {"needed", 1}});
    if (count <= kWhisperSamples)
        return;
    const std::string text =
        "This model reads a window of 30 s, and the recording has " + secondsText(kModelSampleRate.duration(Samples(count))) + ". Select a part of it.";
    throw Error("features.tooLong", text, {{"samples", count}, {"limit", kWhisperSamples}});
}

/// Sample `n` of the window of 30 s with its reflections: x[−n] = x[n], and likewise at the end.
double whisperSample(std::span<const float> samples, std::int64_t n) {
    n = n < 0 ? -n : n;
    n = n >= kWhisperSamples ? 2 * (kWhisperSamples - 1) - n : n;
    return n < static_cast<std::int64_t>(samples.size()) ? samples[static_cast<std::size_t>(n)] : 0.0;
}

} // namespace

Matrix<float> whisperLogMel(std::span<const float> samples, int bins) {
    checkWhisperLength(samples);
    PowerSpectrum spectrum(kWhisperWindow);
    const MelFilters filters = MelFilters::slaney(bins, spectrum.bins(), kModelSampleRate.hertz(), 0,
                                                  kModelSampleRate.hertz() / 2.0);
    std::vector<double> window(kWhisperWindow), row(kWhisperWindow);
    for (int n = 0; n < kWhisperWindow; ++n)
        window[static_cast<std::size_t>(n)] = 0.5 - 0.5 * std::cos(2 * std::numbers::pi * n / kWhisperWindow);

    // Frames that read nothing but zeros have the floor; no transform is needed to know it. The first weight
    // of the window is 0, so frame f reads samples from 160 f − 199.
    constexpr double kFloor = -10;
    const auto count = static_cast<std::int64_t>(samples.size());
    const std::int64_t sounding = std::min(kWhisperFrames, (count + 198) / kWhisperHop + 1);
    Matrix<double> logMel(static_cast<std::size_t>(kWhisperFrames), static_cast<std::size_t>(bins), kFloor);
    std::vector<double> power(static_cast<std::size_t>(spectrum.bins()));
    double loudest = kFloor;
    for (std::int64_t frame = 0; frame < sounding; ++frame) {
        for (int n = 0; n < kWhisperWindow; ++n)
            row[static_cast<std::size_t>(n)] =
                window[static_cast<std::size_t>(n)] *
                whisperSample(samples, frame * kWhisperHop + n - kWhisperWindow / 2);
        spectrum.compute(row, power);
        const std::span<double> values = logMel.row(static_cast<std::size_t>(frame));
        filters.apply(power, values);
        for (double& value : values) {
            value = std::log10(std::max(value, 1e-10));
            loudest = std::max(loudest, value);
        }
    }
    Matrix<float> result(logMel.rows(), logMel.columns());
    for (std::size_t i = 0; i < result.values().size(); ++i)
        result.values()[i] = static_cast<float>((std::max(logMel.values()[i], loudest - 8) + 4) / 4);
    return result;
}

} // namespace headroom
