// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <string_view>

namespace headroom {

/// A letter of a UTF-8 text, or an ill-formed part of it.
struct Utf8Part {
    std::size_t bytes = 1; ///< at least 1
    bool whole = false;    ///< a well-formed letter
};

/// Returns the letter at byte `at` < text.size(), or the longest part there that begins like one (Unicode's
/// “maximal subpart”, which Python and Rust replace by one U+FFFD). Overlong forms, surrogates and points
/// beyond U+10FFFF are ill-formed.
inline Utf8Part utf8Part(std::string_view text, std::size_t at) {
    const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[at + k]); };
    const unsigned char lead = byte(0);
    const std::size_t length = lead < 0x80                   ? 1
                               : lead >= 0xC2 && lead < 0xE0 ? 2
                               : lead >= 0xE0 && lead < 0xF0 ? 3
                               : lead >= 0xF0 && lead < 0xF5 ? 4
                                                             : 0;
    std::size_t read = 1;
    for (; read < length && at + read < text.size(); ++read) {
        const unsigned char least = read > 1 ? 0x80 : lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
        const unsigned char most = read > 1 ? 0xBF : lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
        if (byte(read) < least || byte(read) > most)
            break;
    }
    return {read, read == length};
}

/// Returns how many bytes the letter at `at` < text.size() has by its first byte, at most what is left of the
/// text.
inline std::size_t utf8LetterBytes(std::string_view text, std::size_t at) {
    const auto lead = static_cast<unsigned char>(text[at]);
    return std::min<std::size_t>(lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4, text.size() - at);
}

} // namespace headroom
