// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/files/wastebasket.h"

#include <QObject>

#include <filesystem>
#include <functional>
#include <set>
#include <vector>

namespace headroom::app {

class Session;

/// Whether this session, as it was saved, reads the recording or the alignment. True if the session is there and cannot be read.
bool sessionMayRead(const std::filesystem::path& folder, const std::filesystem::path& file);

/// Recordings made in the program lie in the folder of their session and belong to it alone. Those that were removed from the session go
/// to the wastebasket once it is saved. Only files that this program has seen in the open session are considered, and only if Undo
/// has the samples too. A file stays if its session, changes of it that are not saved, another session or a study still reads it, or
/// if that cannot be found out. Borrows the session; window's thread.
class UnusedRecordings : public QObject {
    Q_OBJECT

public:
    explicit UnusedRecordings(Session* session, QObject* parent = nullptr);

    /// Whether another session or a study may read a recording of this one.
    std::function<bool(const std::filesystem::path& file)> isReadElsewhere = [](const std::filesystem::path&) { return false; };
    /// Call when the session was saved, and when the program ends. Another session does the same. A message says what was moved and offers to put it back.
    void moveAway();

private:
    void follow();
    bool isUsed(const std::filesystem::path& file) const;
    void say(const std::vector<InWastebasket>& moved);
    void putBack(const std::vector<InWastebasket>& moved);

    Session* m_session;
    std::set<std::filesystem::path> m_files; ///< recordings that are or were in the session
};

} // namespace headroom::app
