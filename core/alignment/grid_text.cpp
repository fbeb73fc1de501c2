// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/alignment/grid_text.h"

#include "core/errors/error.h"

#include <cstdint>

namespace headroom {

namespace {

[[noreturn]] void refuse(const std::string& name, const std::string& reason) {
    throw Error("alignment.badText", name + " is not readable text: " + reason + ".",
                {{"file", name}, {"reason", reason}});
}

void append(std::string& text, std::uint32_t code) {
    if (code < 0x80)
        text += static_cast<char>(code);
    else if (code < 0x800) {
        text += static_cast<char>(0xc0 | code >> 6);
        text += static_cast<char>(0x80 | (code & 0x3f));
    } else if (code < 0x10000) {
        text += static_cast<char>(0xe0 | code >> 12);
        text += static_cast<char>(0x80 | (code >> 6 & 0x3f));
        text += static_cast<char>(0x80 | (code & 0x3f));
    } else {
        text += static_cast<char>(0xf0 | code >> 18);
        text += static_cast<char>(0x80 | (code >> 12 & 0x3f));
        text += static_cast<char>(0x80 | (code >> 6 & 0x3f));
        text += static_cast<char>(0x80 | (code & 0x3f));
    }
}

std::string fromUtf16(std::string_view bytes, bool bigEndian, const std::string& name) {
    if (bytes.size() % 2 != 0)
        refuse(name, "it is UTF-16 with an odd number of bytes");
    const auto unitAt = [&](std::size_t at) {
        const auto first = static_cast<unsigned char>(bytes[at]),
                   second = static_cast<unsigned char>(bytes[at + 1]);
        return static_cast<std::uint32_t>(bigEndian ? first << 8 | second : second << 8 | first);
    };
    std::string text;
    for (std::size_t at = 0; at < bytes.size(); at += 2) {
        auto code = unitAt(at);
        if (code >= 0xd800 && code < 0xe000) {
            const auto low = at + 3 < bytes.size() ? unitAt(at + 2) : 0;
            if (code >= 0xdc00 || low < 0xdc00 || low >= 0xe000)
                refuse(name, "it is UTF-16 with half a character");
            code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
            at += 2;
        }
        append(text, code);
    }
    return text;
}

/// Length of the well-formed UTF-8 character at `at` (Unicode's table 3-7), or 0.
std::size_t characterLength(std::string_view text, std::size_t at) {
    const auto byte = [&](std::size_t i) -> unsigned {
        return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0;
    };
    const auto follows = [&](std::size_t i) { return byte(i) >= 0x80 && byte(i) < 0xc0; };
    const unsigned first = byte(0);
    if (first < 0x80)
        return 1;
    if (first >= 0xc2 && first < 0xe0)
        return follows(1) ? 2 : 0;
    if (first >= 0xe0 && first < 0xf0) {
        const bool second =
            follows(1) && (first != 0xe0 || byte(1) >= 0xa0) && (first != 0xed || byte(1) < 0xa0);
        return second && follows(2) ? 3 : 0;
    }
    if (first >= 0xf0 && first < 0xf5) {
        const bool second =
            follows(1) && (first != 0xf0 || byte(1) >= 0x90) && (first != 0xf4 || byte(1) < 0x90);
        return second && follows(2) && follows(3) ? 4 : 0;
    }
    return 0;
}

} // namespace

std::string gridText(std::string_view bytes, const std::string& name) {
    const auto starts = [&](std::string_view mark) { return bytes.starts_with(mark); };
    std::string text;
    if (starts("\xef\xbb\xbf"))
        text = bytes.substr(3);
    else if (starts("\xff\xfe"))
        text = fromUtf16(bytes.substr(2), false, name);
    else if (starts("\xfe\xff"))
        text = fromUtf16(bytes.substr(2), true, name);
    else if (starts(std::string_view("F\0", 2)))
        text = fromUtf16(bytes, false, name);
    else if (starts(std::string_view("\0F", 2)))
        text = fromUtf16(bytes, true, name);
    else
        text = bytes;
    std::string result;
    result.reserve(text.size());
    std::size_t line = 1;
    for (std::size_t at = 0; at < text.size();) {
        const auto length = characterLength(text, at);
        if (length == 0)
            refuse(name, "line " + std::to_string(line) + " is neither UTF-8 nor marked as UTF-16");
        if (text[at] == '\0')
            refuse(name, "line " + std::to_string(line) + " has a NUL byte");
        if (text[at] == '\r') {
            result += '\n';
            at += at + 1 < text.size() && text[at + 1] == '\n' ? 2 : 1;
            ++line;
            continue;
        }
        line += text[at] == '\n';
        result.append(text, at, length);
        at += length;
    }
    return result;
}

} // namespace headroom
