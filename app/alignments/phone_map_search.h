// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <functional>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

namespace headroom::app {

/// Finds the map of the folder that a recording lies in, `phones.tsv` beside it or in the corpus whose audio/ it is. Looks into each
/// folder once: hundreds of recordings lie in one, and on a network every look takes its time. The paths must outlive the search.
class PhoneMapSearch {
public:
    using IsFile = std::function<bool(const std::filesystem::path&)>;

    explicit PhoneMapSearch(IsFile isFile = [](const std::filesystem::path& file) {
        std::error_code ignored;
        return std::filesystem::is_regular_file(file, ignored);
    })
        : m_isFile(std::move(isFile)) {}

    /// Empty: there is none, or this search has looked into this folder before.
    std::filesystem::path beside(const std::filesystem::path& recording) {
        const std::string_view name = recording.native();
        if (name.empty() || !m_folders.insert(name.substr(0, name.rfind('/') + 1)).second) // no slash: npos + 1 is 0
            return {};
        const auto folder = recording.parent_path();
        if (auto file = folder / "phones.tsv"; m_isFile(file))
            return file;
        if (folder.filename() == "audio")
            if (auto file = folder.parent_path() / "phones.tsv"; m_isFile(file))
                return file;
        return {};
    }

private:
    IsFile m_isFile;
    std::set<std::string_view> m_folders;
};

} // namespace headroom::app
