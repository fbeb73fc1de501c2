// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/aligning/align_job.h"

class QWidget;

namespace headroom::app {

class AlignDialog;
class Dialogs;

/// “Align…”: asks for text and place (AlignDialog), then lets AlignJob work. Window's thread.
class Aligning : public QObject {
    Q_OBJECT

public:
    /// Everything borrowed. `window`: parent of the dialogue.
    Aligning(Session* session, WorkerProcess* worker, const Dialogs* dialogs, QWidget* window);

    /// Shows the dialogue, which is this object's until it is closed; null where the recording is not ready.
    AlignDialog* ask(UtteranceId id);
    AlignJob* job() { return &m_job; }

private:
    Session* m_session;
    const Dialogs* m_dialogs;
    QWidget* m_window;
    AlignJob m_job;
};

} // namespace headroom::app
