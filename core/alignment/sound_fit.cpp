// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/alignment/sound_fit.h"

#include "core/alignment/phones.h"
#include "core/statistics/undefined.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace headroom {

namespace {

constexpr std::size_t kWindow = 400, kHop = 160; // samples: 25 ms, 10 ms
constexpr double kRange = 45;                    // dB below the loud frames that still differ
constexpr std::size_t kLeastFrames = 50;
constexpr std::ptrdiff_t kFarthest = 60; // frames that labels are moved, either way

double percentile(std::vector<double> values, double share) {
    const auto at =
        values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1) + 0.5);
    std::nth_element(values.begin(), at, values.end());
    return *at;
}

double sonorityOf(std::string_view label, const PhoneMap& map) {
    const auto phoneClass = map.classOf(label);
    if (!phoneClass)
        return isSilence(label) ? 0 : 0.75;
    if (*phoneClass == kSilenceClass)
        return 0;
    const auto name = phoneClassName(*phoneClass);
    constexpr std::string_view kSonorants = " L R M N NG W Y ", kStops = " B D G K P T ";
    const auto in = [&](std::string_view set) {
        return set.find(" " + std::string(name) + " ") != std::string_view::npos;
    };
    return in(kSonorants)                                                           ? 0.85
           : in(kStops)                                                             ? 0.5
           : std::string_view("AEIOU").find(name.front()) != std::string_view::npos ? 1
                                                                                    : 0.65;
}

double correlation(std::span<const double> a, std::span<const double> b) {
    const auto n = static_cast<double>(a.size());
    double sumA = 0, sumB = 0, sumAA = 0, sumBB = 0, sumAB = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        sumA += a[i];
        sumB += b[i];
        sumAA += a[i] * a[i];
        sumBB += b[i] * b[i];
        sumAB += a[i] * b[i];
    }
    const double varianceA = sumAA - sumA * sumA / n, varianceB = sumBB - sumB * sumB / n;
    if (varianceA <= 1e-9 * n || varianceB <= 1e-9 * n)
        return kUndefined;
    return (sumAB - sumA * sumB / n) / std::sqrt(varianceA * varianceB);
}

} // namespace

SoundLevels soundLevels(std::span<const float> samples) {
    SoundLevels levels;
    if (samples.size() < kWindow)
        return levels;
    for (std::size_t start = 0; start + kWindow <= samples.size(); start += kHop) {
        const auto window = samples.subspan(start, kWindow);
        double mean = 0, power = 0;
        for (const float sample : window)
            mean += static_cast<double>(sample) / kWindow;
        for (const float sample : window)
            power += (static_cast<double>(sample) - mean) * (static_cast<double>(sample) - mean) / kWindow;
        levels.decibels.push_back(10 * std::log10(power + 1e-10));
    }
    levels.quiet = percentile(levels.decibels, 0.05);
    levels.loud = percentile(levels.decibels, 0.95);
    // Clean recordings: 25 dB below the loud frames. In noise the floor is nearer; without a pause in them
    // the quiet frames are speech as well.
    levels.speech = std::max(levels.loud - 25, std::min(levels.quiet + 10, levels.loud - 12));
    levels.silence = std::max(levels.loud - 45, std::min(levels.quiet + 3, levels.loud - 30));
    return levels;
}

std::vector<double> sonority(std::span<const Interval> phones, const PhoneMap& map,
                             const SoundLevels& levels) {
    std::vector<double> result(levels.decibels.size(), 0);
    for (const auto& phone : phones) {
        const double value = sonorityOf(phone.label, map);
        const double first = std::ceil((phone.start.value() - 0.0125) / 0.01);
        if (value == 0 || !(first < static_cast<double>(result.size())))
            continue;
        for (auto frame = static_cast<std::size_t>(std::max(0.0, first));
             frame < result.size() && levels.centre(frame) < phone.end; ++frame)
            result[frame] = value;
    }
    return result;
}

SoundFit soundFit(const SoundLevels& levels, std::span<const double> sonority) {
    SoundFit result;
    result.fit = result.shifted = kUndefined;
    const std::size_t n = levels.decibels.size();
    if (n < kLeastFrames || sonority.size() != n || levels.loud - levels.quiet < 6)
        return result;
    auto sound = levels.decibels;
    for (double& level : sound)
        level = std::clamp(level, std::max(levels.quiet, levels.loud - kRange), levels.loud);
    result.fit = result.shifted = correlation(sound, sonority);
    if (std::isnan(result.fit))
        return result;
    const std::span<const double> whole(sound);
    for (std::ptrdiff_t lag = -kFarthest; lag <= kFarthest; ++lag) {
        const auto size = static_cast<std::size_t>(std::abs(lag));
        if (size > n / 4) // what is left of a short recording says too little
            continue;
        const double moved = lag < 0 ? correlation(whole.first(n - size), sonority.last(n - size))
                                     : correlation(whole.last(n - size), sonority.first(n - size));
        if (moved > result.shifted) {
            result.shifted = moved;
            result.shift = Seconds(0.01 * static_cast<double>(lag));
        }
    }
    return result;
}

} // namespace headroom
