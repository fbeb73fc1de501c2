// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace headroom {

/// sacreBLEU's tokenizer "13a" (mteval-v13a): ASCII punctuation and symbols become separate tokens, except
/// points and commas inside numbers; tokens are joined by one space. Pure.
std::string tokenize13a(std::string_view line);

} // namespace headroom
