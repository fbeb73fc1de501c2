// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/session.h"

#include <QUndoCommand>

#include <vector>

namespace headroom::app {

/// Another alignment, or none, in the place of the one that an open recording had. Files stay as they are. Window's thread.
class UseAlignment : public QUndoCommand {
public:
    /// Borrows the session, which has the new alignment already. `step`: the recordings of one list have the same number,
    /// and are one step.
    UseAlignment(Session* session, UtteranceId id, Session::KeptAlignment before, int step = 0);
    void undo() override;
    void redo() override;
    int id() const override;
    bool mergeWith(const QUndoCommand* next) override;

private:
    struct Change {
        UtteranceId id;
        Session::KeptAlignment other; ///< that is not in use now
    };
    void exchange();

    Session* m_session;
    int m_step; ///< 0: alone
    std::vector<Change> m_changes;
    bool m_isNew = true; ///< what was there when it was made
};

} // namespace headroom::app
