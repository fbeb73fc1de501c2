// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/worker/suggest/limit.h"

#include <charconv>

namespace headroom::training {

std::optional<SuggestionLimit> SuggestionLimit::parse(const std::string& text) {
    const auto sign = text.find('=');
    if (sign == std::string::npos)
        return {};
    SuggestionLimit limit;
    const std::string name = text.substr(0, sign);
    if (name != "macs" && name != "loss")
        return {};
    limit.of = name == "macs" ? Of::Macs : Of::Loss;
    const char* const end = text.data() + text.size();
    const auto [stopped, error] = std::from_chars(text.data() + sign + 1, end, limit.value);
    if (error != std::errc() || stopped != end || !(limit.value >= 0 && limit.value <= 1))
        return {};
    return limit;
}

} // namespace headroom::training
