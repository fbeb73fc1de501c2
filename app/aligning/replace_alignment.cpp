// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/aligning/replace_alignment.h"

#include "app/documents/files/alignment_again.h"
#include "app/documents/files/on_disk.h"

#include <utility>

namespace headroom::app {

namespace fs = std::filesystem;

ReplaceAlignment::ReplaceAlignment(Session* session, UndoneAlignments* undone, UtteranceId id, WrittenAlignment written, const QString& name,
                                   QStringList warnings)
    : QUndoCommand(Session::tr("alignment of %1").arg(name))
    , m_session(session)
    , m_undone(undone)
    , m_id(id)
    , m_written(std::make_shared<WrittenAlignment>(std::move(written)))
    , m_warnings(std::move(warnings)) {
    static int s_alignments = 0;
    m_cause = QStringLiteral("written alignment %1").arg(++s_alignments); // several may have one file
}

void ReplaceAlignment::redo() {
    if (!isOpen())
        return;
    m_before = m_session->keptAlignment(m_id);
    if (const bool isNew = std::exchange(m_isNew, false); m_undone) {
        if (isNew)
            m_undone->written(m_written->file(), m_id);
        else
            m_undone->redone(m_written, m_id);
    }
    if (m_after.alignment)
        m_session->putAlignment(m_id, m_after);
    else
        m_session->openAlignment(m_written->file(), m_id);
    for (const QString& warning : m_warnings)
        m_session->messages()->post(Severity::Warning, warning, {}, {}, {m_cause});
}

void ReplaceAlignment::undo() {
    if (!isOpen())
        return;
    m_after = m_session->keptAlignment(m_id);
    followFiles();
    if (m_after.file != m_written->file() || m_after.sha256 != m_written->sha256())
        m_after = {}; // not read yet, or changed since
    m_session->putAlignment(m_id, m_before);
    m_session->messages()->settle(m_cause);
    if (m_undone)
        m_undone->undone(m_written);
}

/// Saving under another name took the current file along, and the folder of the one before may be gone.
void ReplaceAlignment::followFiles() {
    const fs::path old = m_written->file();
    const bool hasReplacedIts = m_written->replacedAnother() && m_before.file == old;
    if (m_after.sha256 == m_written->sha256() && (!m_written->replacedAnother() || hasReplacedIts || !isOnDisk(old))) {
        m_written->setFile(m_after.file);
        if (hasReplacedIts) // it comes back in its place
            m_before.file = m_after.file;
    }
    if (auto written = writtenAgain(*m_session->utterances()->find(m_id), m_before.alignment.get(), m_before.file)) {
        m_before.file = std::move(written->path);
        m_before.sha256 = std::move(written->sha256);
    }
}

bool ReplaceAlignment::isOpen() {
    m_id = m_session->reopenedAs(m_id);
    const bool isOpen = m_session->utterances()->find(m_id) != nullptr;
    setObsolete(!isOpen); // closed for good
    return isOpen;
}

} // namespace headroom::app
