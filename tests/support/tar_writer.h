// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdio>
#include <string>
#include <utility>
#include <vector>

namespace headroom::testing {

/// One member with its header of 512 bytes (POSIX ustar), padded.
inline std::string tarMember(const std::string& name, const std::string& content, char type = '0') {
    std::string header(512, '\0');
    const auto put = [&](std::size_t at, const std::string& text) { header.replace(at, text.size(), text); };
    char size[16];
    std::snprintf(size, sizeof size, "%011zo", content.size());
    put(0, name.substr(0, 100));
    put(100, "0000644");
    put(124, size);
    put(148, "        ");
    header[156] = type;
    put(257, std::string("ustar\00000", 8));
    unsigned sum = 0;
    for (const char byte : header)
        sum += static_cast<unsigned char>(byte);
    char checksum[16];
    std::snprintf(checksum, sizeof checksum, "%06o", sum);
    put(148, std::string(checksum) + std::string("\0 ", 2));
    std::string padded = content;
    padded.resize((content.size() + 511) / 512 * 512);
    return header + padded;
}

inline std::string tarArchive(const std::vector<std::pair<std::string, std::string>>& files) {
    std::string archive = tarMember("./", "", '5');
    for (const auto& [name, content] : files)
        archive += tarMember(name, content);
    return archive + std::string(1024, '\0');
}

} // namespace headroom::testing
