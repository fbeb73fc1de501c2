// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/audio/audio_name.h"

#include <array>
#include <charconv>
#include <cmath>

namespace headroom {

namespace {

template <class Number>
std::optional<Number> wholeText(std::string_view text) {
    Number value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || error != std::errc() || end != text.data() + text.size() || !(value >= 0))
        return std::nullopt;
    return value;
}

/// Splits off ":sp0.9".
std::optional<double> takeSpeed(std::string_view& name) {
    const auto colon = name.rfind(':');
    if (colon == std::string_view::npos || colon == 0 || name.substr(colon + 1, 2) != "sp")
        return std::nullopt;
    const auto speed = wholeText<double>(name.substr(colon + 3));
    if (!speed || *speed < kLowestSpeed || *speed > kHighestSpeed)
        return std::nullopt;
    name = name.substr(0, colon);
    return speed;
}

/// Splits off ":160000:32000".
std::optional<AudioPart> takePart(std::string_view& name) {
    const auto last = name.rfind(':');
    if (last == std::string_view::npos || last == 0)
        return std::nullopt;
    const auto first = name.rfind(':', last - 1);
    if (first == std::string_view::npos || first == 0)
        return std::nullopt;
    const auto start = wholeText<std::int64_t>(name.substr(first + 1, last - first - 1));
    const auto count = wholeText<std::int64_t>(name.substr(last + 1));
    if (!start || !count)
        return std::nullopt;
    name = name.substr(0, first);
    return AudioPart{*start, *count};
}

} // namespace

bool AudioName::holdsFeatures() const {
    return (part && file.extension() == ".zip") || file.extension() == ".npy";
}

std::string AudioName::suffix() const {
    std::string text;
    if (part)
        text = ":" + std::to_string(part->start) + ":" + std::to_string(part->count);
    if (speed != 1) {
        std::array<char, 32> digits{};
        const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), speed);
        text += ":sp" + std::string(digits.data(), end);
    }
    return text;
}

std::filesystem::path AudioName::path() const {
    auto named = file;
    named += suffix();
    return named;
}

int rateAtSpeed(int hertz, double speed) {
    return static_cast<int>(std::lround(hertz * speed));
}

std::optional<AudioSuffix> audioSuffix(std::string_view name) {
    const auto speed = takeSpeed(name);
    const auto part = takePart(name);
    if (!speed && !part)
        return std::nullopt;
    return AudioSuffix{part, speed.value_or(1), name.size()};
}

AudioName audioName(const std::filesystem::path& named) {
    const std::string& text = named.native();
    const auto found = audioSuffix(text);
    std::error_code ignored;
    if (!found || std::filesystem::exists(named, ignored))
        return {named, std::nullopt};
    return {text.substr(0, found->end), found->part, found->speed};
}

} // namespace headroom
