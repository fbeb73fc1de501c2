// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/start_from.h"

#include <string_view>
#include <system_error>

namespace headroom {

namespace {

constexpr std::string_view kEncoderOnly = ":encoder";

} // namespace

StartFrom StartFrom::parse(const std::string& text) {
    std::error_code ignored;
    if (text.ends_with(kEncoderOnly) && !std::filesystem::exists(text, ignored))
        return {text.substr(0, text.size() - kEncoderOnly.size()), true};
    return {text, false};
}

std::string StartFrom::text() const {
    return model.string() + (encoderOnly ? std::string(kEncoderOnly) : std::string());
}

} // namespace headroom
