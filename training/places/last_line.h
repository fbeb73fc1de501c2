// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/errors/display_name.h"

#include <string>

namespace headroom::training {

/// The last line of what a program wrote, for a message.
inline std::string lastLine(std::string text) {
    constexpr std::size_t kMostBytes = 300;
    text.resize(text.find_last_not_of(" \t\r\n") + 1); // npos + 1 is 0
    return validText(text.substr(text.rfind('\n') + 1).substr(0, kMostBytes));
}

/// The same as the end of a sentence, which others may follow.
inline std::string lastLineAsSentence(const std::string& text) {
    const std::string line = lastLine(text);
    return line.empty() ? "no reason was given." : line.find_last_of(".!?") == line.size() - 1 ? line : line + ".";
}

/// Why `program` failed, by what it wrote, as sentences.
inline std::string whyFailed(const std::string& program, const std::string& text) {
    return lastLine(text).empty() ? program + " failed and gave no reason." : program + " says: " + lastLineAsSentence(text);
}

} // namespace headroom::training
