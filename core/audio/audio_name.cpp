// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/audio/audio_name.h"

#include <charconv>
#include <string>
#include <string_view>

namespace headroom {

namespace {

std::optional<std::int64_t> sampleCount(std::string_view digits) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (digits.empty() || error != std::errc() || end != digits.data() + digits.size() || value < 0)
        return std::nullopt;
    return value;
}

} // namespace

std::filesystem::path AudioName::path() const {
    if (!part)
        return file;
    auto named = file;
    named += ":" + std::to_string(part->start) + ":" + std::to_string(part->count);
    return named;
}

AudioName audioName(const std::filesystem::path& named) {
    const std::string text = named.string();
    const auto last = text.rfind(':');
    if (last == std::string::npos || last == 0)
        return {named, std::nullopt};
    const auto first = text.rfind(':', last - 1);
    if (first == std::string::npos || first == 0)
        return {named, std::nullopt};
    const auto start = sampleCount(std::string_view(text).substr(first + 1, last - first - 1));
    const auto count = sampleCount(std::string_view(text).substr(last + 1));
    std::error_code ignored;
    if (!start || !count || std::filesystem::exists(named, ignored))
        return {named, std::nullopt};
    return {text.substr(0, first), AudioPart{*start, *count}};
}

} // namespace headroom
