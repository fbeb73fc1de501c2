// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/aligning/align_request.h"

class QWidget;

namespace headroom::app {

class AlignDialog;
class Dialogs;

/// “Align…”: asks for text and place (AlignDialog), then lets AlignRequest work. Window's thread.
class Aligning : public QObject {
    Q_OBJECT

public:
    /// Everything borrowed. `window`: parent of the dialogue.
    Aligning(Session* session, WorkerProcess* worker, const Dialogs* dialogs, QWidget* window);

    /// Shows the dialogue, which is this object's until it is closed; null where the recording is not ready.
    AlignDialog* ask(UtteranceId id);
    AlignRequest* request() { return &m_request; }

private:
    Session* m_session;
    const Dialogs* m_dialogs;
    QWidget* m_window;
    AlignRequest m_request;
};

} // namespace headroom::app
