// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/corpus/kinds/linked_folders.h"

#include "core/errors/whole_path.h"

#include <algorithm>

namespace headroom {

namespace fs = std::filesystem;

namespace {

bool isInside(const fs::path& file, const fs::path& folder) {
    const auto relative = file.lexically_relative(folder);
    return !relative.empty() && *relative.begin() != ".." && relative != ".";
}

fs::path commonFolder(const fs::path& left, const fs::path& right) {
    const auto [end, ignored] = std::mismatch(left.begin(), left.end(), right.begin(), right.end());
    fs::path common;
    for (auto at = left.begin(); at != end; ++at)
        common /= *at;
    return common;
}

} // namespace

LinkedFolders::LinkedFolders(fs::path folder, const fs::path& from, const fs::path& unpacked)
    : m_folder(std::move(folder))
    , m_from(wholePath(from))
    , m_unpacked(unpacked.empty() ? unpacked : wholePath(unpacked)) {
    m_names[m_from] = "audio";
}

void LinkedFolders::plan(const fs::path& recording) {
    const auto file = wholePath(recording);
    if (!m_recordings.insert(file).second || isInside(file, m_from) || isUnpacked(file))
        return;
    // One link for each disk or top folder, as deep as everything there has in common.
    const auto top = std::next(file.begin())->string();
    const auto [entry, fresh] = m_elsewhere.try_emplace(top, file.parent_path());
    if (!fresh)
        entry->second = commonFolder(entry->second, file.parent_path());
}

void LinkedFolders::make(bool copy) {
    for (const auto& [top, target] : m_elsewhere)
        m_names.try_emplace(target, "audio-" + std::to_string(m_names.size() + 1));
    for (const auto& [target, name] : m_names)
        if (!copy)
            fs::create_directory_symlink(target, m_folder / name);
    for (const auto& file : m_recordings) {
        if (!copy && !isUnpacked(file))
            continue;
        const auto inner = inside(file);
        fs::create_directories(inner.parent_path());
        if (isUnpacked(file))
            fs::rename(file, inner);
        else
            fs::copy_file(file, inner);
    }
}

bool LinkedFolders::isUnpacked(const fs::path& file) const {
    return !m_unpacked.empty() && isInside(file, m_unpacked);
}

fs::path LinkedFolders::inside(const fs::path& recording) const {
    const auto file = wholePath(recording);
    if (isUnpacked(file))
        return m_folder / "recordings" / file.lexically_relative(m_unpacked);
    if (isInside(file, m_from))
        return m_folder / "audio" / file.lexically_relative(m_from);
    const auto& target = m_elsewhere.at(std::next(file.begin())->string());
    return m_folder / m_names.at(target) / file.lexically_relative(target);
}

void LinkedFolders::alignment(const fs::path& file, const std::string& id) const {
    if (file.empty() || fs::path(id).filename() != id || id == "..")
        return;
    auto ending = file.extension().string();
    std::transform(ending.begin(), ending.end(), ending.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    if (ending == ".textgrid")
        ending = ".TextGrid";
    fs::create_directories(m_folder / "alignments");
    std::error_code ignored; // the same utterance in two splits
    fs::create_symlink(wholePath(file), m_folder / "alignments" / (id + ending), ignored);
}

} // namespace headroom
