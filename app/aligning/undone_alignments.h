// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/aligning/written_alignment.h"
#include "app/documents/session.h"

#include <QObject>

#include <filesystem>
#include <memory>
#include <vector>

namespace headroom::app {

/// Takes the files of undone alignments back: at once, or where the session as it was saved reads the file, once the session is saved
/// without it. Who ends the program without saving finds the session whole. Borrows the session; window's thread.
class UndoneAlignments : public QObject {
public:
    explicit UndoneAlignments(Session* session, QObject* parent = nullptr);

    void undone(const std::shared_ptr<WrittenAlignment>& written);
    void redone(const std::shared_ptr<WrittenAlignment>& written);
    /// Another alignment was written into the file.
    void forget(const std::filesystem::path& file);

private:
    void takeBackUnused();
    void say(const QString& sentence);

    Session* m_session;
    std::filesystem::path m_folder; ///< of the session that reads those that wait
    std::vector<std::shared_ptr<WrittenAlignment>> m_waiting;
};

} // namespace headroom::app
