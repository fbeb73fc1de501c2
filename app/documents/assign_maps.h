// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/session.h"

#include <QUndoCommand>

namespace headroom::app {

/// Imported maps that are shown with a recording of another name. Files stay as they are. Window's thread.
class AssignMaps : public QUndoCommand {
public:
    /// Borrows the session. Both are open.
    AssignMaps(Session* session, ModelId maps, UtteranceId utterance);
    ModelId maps() const { return m_maps; }
    /// Whether it is the utterance that has the maps now, or that had them before the step was done or undone.
    bool isOf(UtteranceId utterance) const;
    void undo() override;
    void redo() override;

private:
    void exchange();

    Session* m_session;
    ModelId m_maps;
    UtteranceId m_other; ///< that does not have them now
};

} // namespace headroom::app
