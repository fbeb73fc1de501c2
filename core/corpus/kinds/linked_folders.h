// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>

namespace headroom {

/// The links by which a corpus of ours names recordings that stay where they are: `audio` leads to the corpus
/// that was read, `audio-2` … to folders elsewhere that its tables name. One thread. Errors are
/// filesystem_error.
class LinkedFolders {
public:
    /// `folder`: the new corpus; `from`: the one that is read; `unpacked`: recordings that are moved into the
    /// new corpus, as `recordings`; empty: none.
    LinkedFolders(std::filesystem::path folder, const std::filesystem::path& from,
                  const std::filesystem::path& unpacked = {});
    /// Call for every recording, then make().
    void plan(const std::filesystem::path& recording);
    /// `copy`: makes folders with copies of the planned recordings instead of links.
    void make(bool copy);
    /// Returns the path of a planned recording inside the new corpus.
    std::filesystem::path inside(const std::filesystem::path& recording) const;
    /// Links an alignment as `alignments/ID.ending`. Empty: nothing to do.
    void alignment(const std::filesystem::path& file, const std::string& id) const;

private:
    bool isUnpacked(const std::filesystem::path& file) const;

    std::filesystem::path m_folder, m_from, m_unpacked;
    std::map<std::string, std::filesystem::path>
        m_elsewhere;                                      ///< by its first folder: what all have in common
    std::map<std::filesystem::path, std::string> m_names; ///< of links, by target
    std::set<std::filesystem::path> m_recordings;         ///< planned
};

} // namespace headroom
