// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace headroom {

// A command line as a shell reads it, for the login shell at the other end of ssh and for lines that people
// copy. The only place that quotes. Pure and thread-safe.

/// One word, quoted where it must be. sh, bash, dash, ksh, zsh and fish read it as the same bytes, whatever
/// it holds; csh and tcsh too, unless it holds a line break. Letters of every script stay as they are.
std::string shellWord(std::string_view word);

/// The words, quoted and separated by spaces.
std::string shellLine(const std::vector<std::string>& words);

} // namespace headroom
