// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/runs/file_lock.h"

#include <filesystem>
#include <optional>
#include <vector>

namespace headroom::training {

/// The folder of a study while this process works on it: created if missing, and locked. A study that was refused
/// before its first study.json leaves neither a lock nor a folder of ours behind. One thread.
class StudyClaim {
public:
    /// Throws Error "study.unwritable", "study.otherFolder" (a run, a corpus, a session or a model) or
    /// "study.inUse" (another process works on it).
    explicit StudyClaim(const std::filesystem::path& folder);
    ~StudyClaim();
    StudyClaim(const StudyClaim&) = delete;
    StudyClaim& operator=(const StudyClaim&) = delete;

private:
    const std::filesystem::path m_folder;
    std::vector<std::filesystem::path> m_created; ///< the innermost first
    std::optional<FileLock> m_lock;
};

} // namespace headroom::training
