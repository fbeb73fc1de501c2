// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/aligning/aligning.h"

#include "app/aligning/align_dialog.h"
#include "app/parts/file_dialogs.h"

namespace headroom::app {

Aligning::Aligning(Session* session, WorkerProcess* worker, const Dialogs* dialogs, QWidget* window)
    : QObject(window)
    , m_session(session)
    , m_dialogs(dialogs)
    , m_window(window)
    , m_request(session, worker) {}

AlignDialog* Aligning::ask(UtteranceId id) {
    const OpenUtterance* utterance = m_session->utterances()->find(id);
    if (!utterance || !utterance->recording)
        return nullptr;
    auto* dialog = new AlignDialog(*utterance, **m_dialogs, m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this,
            [this, dialog, id] { m_request.start(id, dialog->text(), dialog->file()); });
    dialog->open();
    return dialog;
}

} // namespace headroom::app
