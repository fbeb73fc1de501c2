// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/errors/utf8.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

namespace headroom {

/// Returns bytes as valid UTF-8 for a message. Each ill-formed part becomes one U+FFFD, so that the message can
/// be sent as JSON.
inline std::string validText(std::string_view raw) {
    std::string text;
    for (std::size_t i = 0; i < raw.size();) {
        const Utf8Part part = utf8Part(raw, i);
        text.append(part.whole ? raw.substr(i, part.bytes) : "\xEF\xBF\xBD");
        i += part.bytes;
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
