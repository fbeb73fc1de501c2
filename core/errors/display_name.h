// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

namespace headroom {

/// Returns bytes as valid UTF-8 for a message. Invalid bytes become U+FFFD, so that the message can be sent
/// as JSON.
inline std::string validText(std::string_view raw) {
    std::string text;
    for (std::size_t i = 0; i < raw.size();) {
        const auto lead = static_cast<unsigned char>(raw[i]);
        const std::size_t length = lead < 0x80                   ? 1
                                   : lead >= 0xF0 && lead < 0xF5 ? 4
                                   : lead >= 0xE0 && lead < 0xF0 ? 3
                                   : lead >= 0xC2 && lead < 0xE0 ? 2
                                                                 : 0;
        bool good = length > 0 && i + length <= raw.size();
        for (std::size_t k = 1; good && k < length; ++k)
            good = (static_cast<unsigned char>(raw[i + k]) & 0xC0) == 0x80;
        if (good && length >= 3) { // overlong forms, surrogates and what lies beyond U+10FFFF
            const auto second = static_cast<unsigned char>(raw[i + 1]);
            good = !(lead == 0xE0 && second < 0xA0) && !(lead == 0xED && second >= 0xA0) &&
                   !(lead == 0xF0 && second < 0x90) && !(lead == 0xF4 && second >= 0x90);
        }
        if (good)
            text.append(raw, i, length);
        else
            text += "\xEF\xBF\xBD";
        i += good ? length : 1;
    }
    return text;
}

/// Returns the name of a file for a message: the last part of its path, as validText.
inline std::string displayName(const std::filesystem::path& file) {
    return validText(file.has_filename() ? file.filename().string() : file.string());
}

/// Returns the name of a model's folder: the last part of its path, or, of a snapshot in a Hugging Face cache
/// (models--ORG--NAME/snapshots/HASH), NAME.
inline std::string folderName(const std::filesystem::path& folder) {
    const auto repository = folder.parent_path().parent_path().filename().string();
    if (folder.parent_path().filename() != "snapshots" || !repository.starts_with("models--"))
        return displayName(folder);
    return validText(repository.substr(repository.rfind("--") + 2));
}

/// Returns the name with its folder, "small/model.safetensors", for files that have the same name in every
/// folder.
inline std::string displayNameInFolder(const std::filesystem::path& file) {
    std::error_code ignored;
    const auto whole = std::filesystem::absolute(file, ignored).lexically_normal();
    const auto folder = whole.parent_path();
    return folder.filename().empty() ? displayName(file) : folderName(folder) + "/" + displayName(file);
}

} // namespace headroom
