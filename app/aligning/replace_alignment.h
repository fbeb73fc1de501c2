// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/aligning/undone_alignments.h"

#include <QPointer>
#include <QStringList>
#include <QUndoCommand>

#include <memory>

namespace headroom::app {

/// Another alignment in the place of the one that was there, with its file and what the worker warned of. Window's thread.
class ReplaceAlignment : public QUndoCommand {
public:
    /// Borrows the session. `undone`: takes the file back. `name`: of the utterance.
    ReplaceAlignment(Session* session, UndoneAlignments* undone, UtteranceId id, WrittenAlignment written, const QString& name,
                     QStringList warnings);
    void redo() override;
    void undo() override;

private:
    bool isOpen();
    void followFiles();

    Session* m_session;
    QPointer<UndoneAlignments> m_undone; ///< may end before the stack
    UtteranceId m_id;
    std::shared_ptr<WrittenAlignment> m_written;
    QStringList m_warnings;
    QString m_cause;     ///< of these as messages
    bool m_isNew = true; ///< not done yet
    Session::KeptAlignment m_before, m_after; ///< `m_after`: empty until what was written has been read
};

} // namespace headroom::app
