// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/alignment/sound_fit.h"

#include "core/alignment/phones.h"
#include "core/statistics/undefined.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <string>

namespace headroom {

namespace {

constexpr std::size_t kWindow = 400, kHop = 160; // samples: 25 ms, 10 ms
constexpr double kRange = 45;                    // dB below the loud frames that still differ
constexpr std::size_t kLeastFrames = 50;
constexpr std::ptrdiff_t kFarthest = 60; // frames that labels are moved, either way
constexpr std::size_t kLeastGap = 3;     // frames that make a gap a silence
constexpr double kLeastContrast = 0.149; // of predictions that say which interval is louder: 0.85 and 1

double percentile(std::vector<double> values, double share) {
    const auto at =
        values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1) + 0.5);
    std::nth_element(values.begin(), at, values.end());
    return *at;
}

double sonorityOf(std::string_view label, const PhoneMap& map) {
    if (isSpokenNoise(label)) // although studies count it as silence
        return kUndefined;
    const auto phoneClass = map.classOf(label);
    if (!phoneClass)
        return isSilence(label) ? 0 : kUndefined;
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

/// Over the places where `b` is not NaN; NaN if there are too few.
double correlation(std::span<const double> a, std::span<const double> b) {
    double n = 0, sumA = 0, sumB = 0, sumAA = 0, sumBB = 0, sumAB = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (std::isnan(b[i]))
            continue;
        ++n;
        sumA += a[i];
        sumB += b[i];
        sumAA += a[i] * a[i];
        sumBB += b[i] * b[i];
        sumAB += a[i] * b[i];
    }
    if (n < kLeastFrames)
        return kUndefined;
    const double varianceA = sumAA - sumA * sumA / n, varianceB = sumBB - sumB * sumB / n;
    if (varianceA <= 1e-9 * n || varianceB <= 1e-9 * n)
        return kUndefined;
    return (sumAB - sumA * sumB / n) / std::sqrt(varianceA * varianceB);
}

struct Stretch {
    double predicted, level; ///< sonority, or NaN; mean level
};

/// The intervals with their mean levels, and the gaps between them as silence.
std::vector<Stretch> stretchesOf(const SoundLevels& levels, std::span<const double> sound,
                                 std::span<const Interval> phones, const PhoneMap& map) {
    std::vector<Stretch> found;
    const auto frameAt = [&](Seconds time) {
        const double frame = std::ceil((time.value() - 0.0125) / 0.01);
        return static_cast<std::size_t>(std::clamp(frame, 0.0, static_cast<double>(levels.decibels.size())));
    };
    const auto add = [&](std::size_t from, std::size_t to, double predicted) {
        double sum = 0;
        for (std::size_t frame = from; frame < to; ++frame)
            sum += sound[frame];
        found.push_back({predicted, sum / static_cast<double>(to - from)});
    };
    std::size_t end = 0;
    for (const Interval& phone : phones) {
        const std::size_t from = frameAt(phone.start), to = frameAt(phone.end);
        if (from >= end + kLeastGap)
            add(end, from, 0);
        if (to > from)
            add(from, to, sonorityOf(phone.label, map));
        end = std::max(end, to);
    }
    return found;
}

double agreementOf(const std::vector<Stretch>& stretches) {
    std::int64_t pairs = 0, agreeing = 0;
    for (std::size_t i = 1; i < stretches.size(); ++i) {
        const double predicted = stretches[i].predicted - stretches[i - 1].predicted;
        if (std::isnan(predicted) || std::abs(predicted) < kLeastContrast)
            continue;
        ++pairs;
        agreeing += predicted * (stretches[i].level - stretches[i - 1].level) > 0;
    }
    return pairs == 0 ? kUndefined : static_cast<double>(agreeing) / static_cast<double>(pairs);
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

bool isSpokenNoise(std::string_view label) {
    std::string lower(label);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
    constexpr std::array<std::string_view, 10> kLabels{"spn",   "nsn",   "<spn>", "<nsn>",    "<unk>",
                                                       "unk",   "[unk]", "<lau>", "laughter", "<noise>"};
    return std::find(kLabels.begin(), kLabels.end(), lower) != kLabels.end();
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

SoundFit soundFit(const SoundLevels& levels, std::span<const Interval> phones, const PhoneMap& map) {
    SoundFit result;
    result.fit = result.shifted = result.agreement = kUndefined;
    const std::size_t n = levels.decibels.size();
    if (n < kLeastFrames || levels.loud - levels.quiet < 6)
        return result;
    const auto labels = sonority(phones, map, levels);
    const std::span<const double> predicted(labels);
    auto sound = levels.decibels;
    for (double& level : sound)
        level = std::clamp(level, std::max(levels.quiet, levels.loud - kRange), levels.loud);
    result.fit = result.shifted = correlation(sound, predicted);
    result.agreement = agreementOf(stretchesOf(levels, sound, phones, map));
    if (std::isnan(result.fit))
        return result;
    const std::span<const double> whole(sound);
    for (std::ptrdiff_t lag = -kFarthest; lag <= kFarthest; ++lag) {
        const auto size = static_cast<std::size_t>(std::abs(lag));
        if (size > n / 4) // what is left of a short recording says too little
            continue;
        const double moved = lag < 0 ? correlation(whole.first(n - size), predicted.last(n - size))
                                     : correlation(whole.last(n - size), predicted.first(n - size));
        if (moved > result.shifted) {
            result.shifted = moved;
            result.shift = Seconds(0.01 * static_cast<double>(lag));
        }
    }
    return result;
}

} // namespace headroom
