// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/features/conformer_features.h"

#include "core/errors/error.h"
#include "core/features/mel_filters.h"
#include "core/features/power_spectrum.h"
#include "core/time/seconds_text.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

namespace headroom {

namespace {

constexpr std::size_t kFrame = 400, kStep = 160, kTransform = 512;
constexpr double kRate = 16000, kHighest = 8000;

void needSamples(std::span<const float> samples, std::size_t needed) {
    if (samples.size() >= needed)
        return;
    throw Error("features.tooShort",
                "The recording has " + std::to_string(samples.size()) +
                    (samples.size() == 1 ? " sample" : " samples") + " at 16,000 Hz; this model needs " +
                    std::to_string(needed) + " samples, that is " + std::to_string(needed * 1000 / 16000) +
                    " ms.",
                {{"samples", samples.size()}, {"needed", needed}});
}

double symmetricHann(std::size_t n) {
    return 0.5 - 0.5 * std::cos(2 * std::numbers::pi * static_cast<double>(n) / (kFrame - 1));
}

/// Per bin: mean, and the sum of the squared distances from it, over the first `frames` frames.
struct BinStatistics {
    double mean = 0, squares = 0;
};
BinStatistics statisticsOf(const Matrix<double>& values, std::size_t bin, std::size_t frames) {
    BinStatistics result;
    for (std::size_t f = 0; f < frames; ++f)
        result.mean += values(f, bin);
    result.mean /= static_cast<double>(frames);
    for (std::size_t f = 0; f < frames; ++f) {
        const double distance = values(f, bin) - result.mean;
        result.squares += distance * distance;
    }
    return result;
}

/// Kaldi's filterbank, [frame, bin], of a recording of at least one frame.
Matrix<double> kaldiLogMel(std::span<const float> samples, int bins, double scale, const std::vector<double>& window) {
    constexpr double kFloor = 1.192092955078125e-07;
    const std::size_t frames = 1 + (samples.size() - kFrame) / kStep;
    const MelFilters filters = MelFilters::kaldi(bins, kTransform / 2 + 1, kRate, 20, kHighest);
    PowerSpectrum spectrum(kTransform);
    std::vector<double> x(kTransform), power(kTransform / 2 + 1);
    Matrix<double> mel(frames, static_cast<std::size_t>(bins));
    for (std::size_t f = 0; f < frames; ++f) {
        const float* first = samples.data() + f * kStep;
        double mean = 0;
        for (std::size_t n = 0; n < kFrame; ++n)
            mean += static_cast<double>(first[n]) / kFrame;
        const auto centred = [&](std::size_t n) { return scale * (static_cast<double>(first[n]) - mean); };
        for (std::size_t n = 0; n < kFrame; ++n)
            x[n] = (centred(n) - 0.97 * centred(n == 0 ? 0 : n - 1)) * window[n];
        spectrum.compute(x, power);
        filters.apply(power, mel.row(f));
        for (double& value : mel.row(f))
            value = std::log(std::max(value, kFloor));
    }
    return mel;
}

} // namespace

MaskedFeatures stackedKaldiFeatures(std::span<const float> samples, const StackedKaldiSettings& settings) {
    const auto stacked = static_cast<std::size_t>(settings.stacked);
    const auto bins = static_cast<std::size_t>(settings.bins);
    needSamples(samples, kFrame + kStep * (std::max<std::size_t>(stacked, 2) - 1));
    std::vector<double> window(kFrame);
    for (std::size_t n = 0; n < kFrame; ++n)
        window[n] = std::pow(symmetricHann(n), 0.85); // Povey's
    const Matrix<double> mel = kaldiLogMel(samples, settings.bins, 32768, window);
    const std::size_t frames = mel.rows();

    const std::size_t rows = (frames + stacked - 1) / stacked;
    MaskedFeatures result{{rows, stacked * bins, static_cast<float>(settings.paddingValue)},
                          static_cast<std::int64_t>(frames / stacked)};
    for (std::size_t b = 0; b < bins; ++b) {
        const BinStatistics bin = statisticsOf(mel, b, frames);
        const double scale = 1 / std::sqrt(bin.squares / static_cast<double>(frames - 1) + 1e-7);
        for (std::size_t f = 0; f < frames; ++f)
            result.values(f / stacked, f % stacked * bins + b) =
                static_cast<float>((mel(f, b) - bin.mean) * scale);
    }
    return result;
}

Matrix<float> astFeatures(std::span<const float> samples, const AstSettings& settings) {
    needSamples(samples, kFrame);
    const auto count = static_cast<std::int64_t>(samples.size());
    const std::int64_t most = std::int64_t(kFrame) + std::int64_t(kStep) * settings.windowFrames - 1;
    if (count > most) {
        const auto length = [](std::int64_t many) { return secondsText(Seconds(static_cast<double>(many) / kRate)); };
        throw Error("features.tooLong",
                    "This model reads a window of " + length(most) + ", and the recording has " + length(count) + ". Select a part of it.",
                    {{"samples", count}, {"limit", most}});
    }
    std::vector<double> window(kFrame);
    for (std::size_t n = 0; n < kFrame; ++n)
        window[n] = symmetricHann(n);
    const Matrix<double> mel = kaldiLogMel(samples, settings.bins, 1, window);
    Matrix<float> result(mel.rows() + kAstFramesBehind, mel.columns());
    for (std::size_t f = 0; f < mel.rows(); ++f)
        std::ranges::transform(mel.row(f), result.row(f).begin(), [](double value) { return static_cast<float>(value); });
    return result;
}

MaskedFeatures parakeetFeatures(std::span<const float> samples, const ParakeetSettings& settings) {
    needSamples(samples, 2 * kStep);
    const auto bins = static_cast<std::size_t>(settings.bins);
    const std::size_t valid = samples.size() / kStep;
    constexpr double kGuard = 1.0 / (1 << 24);

    const MelFilters filters = MelFilters::slaney(settings.bins, kTransform / 2 + 1, kRate, 0, kHighest);
    PowerSpectrum spectrum(kTransform);
    std::vector<double> window(kFrame), x(kTransform), power(kTransform / 2 + 1);
    for (std::size_t n = 0; n < kFrame; ++n)
        window[n] = symmetricHann(n);
    const auto sampleAt = [&](std::int64_t n) {
        return n < 0 || n >= static_cast<std::int64_t>(samples.size())
                   ? 0.0
                   : static_cast<double>(samples[static_cast<std::size_t>(n)]);
    };
    Matrix<double> mel(valid, bins);
    for (std::size_t f = 0; f < valid; ++f) {
        // The window's 400 samples suffice: where they lie in the 512 changes the phase only.
        const std::int64_t first = static_cast<std::int64_t>(f * kStep) - std::int64_t(kFrame / 2);
        for (std::size_t n = 0; n < kFrame; ++n) {
            const std::int64_t place = first + static_cast<std::int64_t>(n);
            const bool outside = place < 0 || place >= static_cast<std::int64_t>(samples.size());
            x[n] = outside ? 0.0 : (sampleAt(place) - settings.preEmphasis * sampleAt(place - 1)) * window[n];
        }
        spectrum.compute(x, power);
        filters.apply(power, mel.row(f));
        for (double& value : mel.row(f))
            value = std::log(value + kGuard);
    }

    MaskedFeatures result{{valid + 1, bins}, static_cast<std::int64_t>(valid)};
    for (std::size_t b = 0; b < bins; ++b) {
        const BinStatistics bin = statisticsOf(mel, b, valid);
        const double scale = 1 / (std::sqrt(bin.squares / static_cast<double>(valid - 1)) + 1e-5);
        for (std::size_t f = 0; f < valid; ++f)
            result.values(f, b) = static_cast<float>((mel(f, b) - bin.mean) * scale);
    }
    return result;
}

Matrix<float> espnetFeatures(std::span<const float> samples, const EspnetSettings& settings) {
    const auto bins = static_cast<std::size_t>(settings.bins);
    const auto transform = static_cast<std::size_t>(settings.frames.transform),
               window = static_cast<std::size_t>(settings.frames.window),
               hop = static_cast<std::size_t>(settings.frames.hop);
    needSamples(samples, std::max(window, transform / 2 + 1));
    const std::size_t frames = 1 + samples.size() / hop;
    constexpr double kFloor = 1e-10;

    const MelFilters filters = MelFilters::slaney(settings.bins, static_cast<int>(transform / 2 + 1), kRate, 0, kHighest);
    PowerSpectrum spectrum(static_cast<int>(transform));
    std::vector<double> hann(window), x(transform), power(transform / 2 + 1);
    for (std::size_t n = 0; n < window; ++n) // periodic
        hann[n] = 0.5 - 0.5 * std::cos(2 * std::numbers::pi * static_cast<double>(n) / static_cast<double>(window));
    const auto last = static_cast<std::int64_t>(samples.size()) - 1;
    const auto reflected = [&](std::int64_t n) {
        const std::int64_t place = n < 0 ? -n : n > last ? 2 * last - n : n;
        return static_cast<double>(samples[static_cast<std::size_t>(place)]);
    };
    const std::size_t before = (transform - window) / 2; // zeros in front of the window
    Matrix<double> mel(frames, bins);
    for (std::size_t f = 0; f < frames; ++f) {
        const std::int64_t first =
            static_cast<std::int64_t>(f * hop + before) - static_cast<std::int64_t>(transform / 2);
        for (std::size_t n = 0; n < window; ++n)
            x[before + n] = reflected(first + static_cast<std::int64_t>(n)) * hann[n];
        spectrum.compute(x, power);
        filters.apply(power, mel.row(f));
        for (double& value : mel.row(f))
            value = std::log(std::max(value, kFloor));
    }
    Matrix<float> result(frames, bins);
    for (std::size_t b = 0; b < bins; ++b) {
        const BinStatistics bin = settings.cmvn == EspnetCmvn::None ? BinStatistics() : statisticsOf(mel, b, frames);
        const double deviation =
            settings.cmvn == EspnetCmvn::MeanAndVariance
                ? std::max(std::sqrt(bin.squares / static_cast<double>(frames)), 1e-20)
                : 1;
        for (std::size_t f = 0; f < frames; ++f)
            result(f, b) = static_cast<float>((mel(f, b) - bin.mean) / deviation);
    }
    return result;
}

} // namespace headroom
