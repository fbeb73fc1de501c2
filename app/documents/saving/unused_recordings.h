// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/files/wastebasket.h"
#include "core/alignment/text_grid.h"

#include <QObject>

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace headroom::app {

class Session;

/// Recordings made in the program lie in the folder of their session and belong to it alone. Those that were removed from the session go
/// to the wastebasket once it is saved, with the TextGrid that Headroom wrote beside them. Only files that this program has seen in the
/// open session are considered, and only if Undo has the samples too. A file stays if its session, changes of it that are not saved,
/// another session or a study still reads it, or if that cannot be found out. Borrows the session; window's thread.
class UnusedRecordings : public QObject {
    Q_OBJECT

public:
    explicit UnusedRecordings(Session* session, QObject* parent = nullptr);

    /// Folders of other sessions that may read a recording of this one. Asked for once for all files.
    std::function<std::vector<std::filesystem::path>()> otherSessions = [] { return std::vector<std::filesystem::path>(); };
    /// Whether a study may read it.
    std::function<bool(const std::filesystem::path& file)> isReadElsewhere = [](const std::filesystem::path&) { return false; };
    /// Call when the session was saved, and when the program ends. Another session does the same. A message says what was moved and offers to put it back.
    void moveAway();

private:
    /// The alignment of a recording, as it was last read.
    struct OwnAlignment {
        std::filesystem::path file; ///< empty: it has none
        std::string sha256;
        std::shared_ptr<const Alignment> alignment;
        Seconds duration;
    };
    class Readers;
    void follow();
    static bool isByHeadroom(const OwnAlignment& own);
    bool isOpen(const std::filesystem::path& file) const;
    bool isUsed(const std::filesystem::path& file, Readers& readers) const;
    bool move(const std::filesystem::path& file, std::vector<InWastebasket>& moved) const;
    void say(const std::vector<InWastebasket>& recordings, const std::vector<InWastebasket>& alignments);
    void putBack(const std::vector<InWastebasket>& moved);

    Session* m_session;
    std::map<std::filesystem::path, OwnAlignment> m_files; ///< recordings that are or were in the session
};

} // namespace headroom::app
