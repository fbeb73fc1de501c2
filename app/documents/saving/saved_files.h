// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/files/session_file.h"

#include <filesystem>
#include <optional>
#include <string>

namespace headroom::app {

/// The recordings and alignments that a session reads, as it was saved: its file is read once, however many are asked for. Any thread.
class SavedFiles {
public:
    /// Of session.json in this folder. If there is none, there are no files.
    static SavedFiles ofSession(const std::filesystem::path& folder);
    /// Of the changes that were kept in this file (writeRecovery).
    static SavedFiles ofChanges(const std::filesystem::path& file);

    /// True as well if what was saved cannot be read. `sha256`: the content of an alignment; empty: any. If the session does not know
    /// it, it may be this one.
    bool mayHave(const std::filesystem::path& file, const std::string& sha256 = {}) const;

private:
    std::optional<SessionDocument> m_document; ///< nothing: it cannot be read
};

} // namespace headroom::app
