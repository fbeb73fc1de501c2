// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace headroom::training {

/// sacreBLEU's tokenizer "13a" (mteval-v13a): punctuation and symbols of ASCII become tokens of their own,
/// but not the point and comma inside a number; tokens joined by one blank. Pure.
std::string tokenize13a(std::string_view line);

} // namespace headroom::training
