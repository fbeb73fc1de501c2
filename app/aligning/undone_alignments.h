// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/aligning/written_alignment.h"
#include "app/documents/session.h"

#include <QObject>

#include <filesystem>
#include <memory>
#include <vector>

namespace headroom::app {

class SavedFiles;

/// Takes the files of undone alignments back: at once, or where the session as it was saved or another open recording reads the file,
/// once the session is saved without it. Who ends the program without saving finds the session whole. What is written into a file,
/// other recordings that read it read again. Borrows the session; window's thread.
class UndoneAlignments : public QObject {
public:
    explicit UndoneAlignments(Session* session, QObject* parent = nullptr);

    /// An alignment of `id` was written into the file, which that recording reads by itself.
    void written(const std::filesystem::path& file, UtteranceId id);
    void undone(const std::shared_ptr<WrittenAlignment>& written);
    /// The recording `id` reads the file by itself.
    void redone(const std::shared_ptr<WrittenAlignment>& written, UtteranceId id);

private:
    struct Waiting {
        std::shared_ptr<WrittenAlignment> written;
        std::filesystem::path folder; ///< of the session that was open
    };
    bool isUsed(const WrittenAlignment& written, const SavedFiles& saved) const;
    void takeBack(WrittenAlignment& written);
    void takeBackUnused();
    void readAgain(const std::filesystem::path& file, UtteranceId except = UtteranceId::None);
    void say(const QString& sentence);

    Session* m_session;
    std::vector<Waiting> m_waiting;
};

} // namespace headroom::app
