// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace headroom {

/// The words of a line as WER counts them, fairseq's way: 13a tokens, those of punctuation alone (Unicode category P)
/// dropped, lower case. Pure.
std::vector<std::string> scoredWords(std::string_view line);

} // namespace headroom
