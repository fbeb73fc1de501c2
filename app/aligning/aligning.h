// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/aligning/align_job.h"

class QWidget;

namespace headroom::app {

class AlignDialog;
class SessionActions;

/// “Align…”: asks for text and place (AlignDialog), then lets AlignJob work. Window's thread.
class Aligning : public QObject {
    Q_OBJECT

public:
    /// All borrowed; `actions` has the dialogues.
    Aligning(Session* session, WorkerProcess* worker, SessionActions* actions, QWidget* window);

    /// Shows the dialogue, which is this object's until it is closed; null where the recording is not ready.
    AlignDialog* ask(UtteranceId id);
    AlignJob* job() { return &m_job; }

private:
    Session* m_session;
    SessionActions* m_actions;
    QWidget* m_window;
    AlignJob m_job;
};

} // namespace headroom::app
