// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLockFile>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace headroom::app {

class Session;

/// Where this program keeps the changes of a session with a folder until they are saved: "recovery.json" beside its
/// session.json, or "recovery 2.json" where another program keeps its own. A lock file beside it is held as long as the
/// program runs, so that only a program that ended without saving or closing leaves one behind. Window's thread.
class Recovery {
public:
    /// What ended programs left in the folder of a session, newest first.
    static std::vector<std::filesystem::path> leftIn(const std::filesystem::path& folder);
    /// Removes what was left, and the recordings that only it contains.
    static void discard(const std::filesystem::path& file);

    const std::filesystem::path& file() const { return m_file; } ///< empty: nothing is kept
    /// Keeps the changes of a session that has a folder. Throws Error "session.unwritable".
    void write(Session* session, const std::string& ofSession);
    /// Opens the session as an ended program left it; the file is this program's now. Throws as Session::openRecovery(), and
    /// Error "session.missing" if another window restored or discarded it.
    void restore(Session* session, const std::filesystem::path& file);
    /// The changes are saved, or given up: the file goes. `recordings`: those that only it contains too.
    void remove(bool recordings);

private:
    std::filesystem::path m_file;
    std::unique_ptr<QLockFile> m_lock;
};

} // namespace headroom::app
