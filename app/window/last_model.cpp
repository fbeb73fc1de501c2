// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/last_model.h"

#include "app/documents/items/paths.h"
#include "app/documents/session.h"
#include "app/settings/app_settings.h"
#include "app/settings/resource_folders.h"

#include <utility>

namespace headroom::app {

LastModel::LastModel(Session* session, AppSettings* settings, QObject* parent)
    : QObject(parent)
    , m_session(session)
    , m_settings(settings) {
    connect(session, &Session::utteranceChanged, this, [this](UtteranceId id) {
        const OpenUtterance* utterance = m_session->utterances()->find(id);
        if (m_isWanted && utterance && utterance->state == OpenState::Ready)
            takeAlong();
    });
    connect(session, &Session::modelChanged, this, &LastModel::remember);
    connect(session, &Session::currentModelChanged, this, &LastModel::remember);
}

/// Of the current one, once it is read. Imported maps show nothing of another recording.
void LastModel::remember() {
    const OpenModel* model = m_session->currentModel();
    if (!model || !model->info || model->maps)
        return;
    m_settings->setLastModel(toQString(model->folder));
    if (model->id == std::exchange(m_taken, ModelId::None))
        m_session->messages()->post(Severity::Info, tr("No model was open, so “%1”, the last one used, was opened.").arg(model->shownName()));
}

void LastModel::takeAlong() {
    m_isWanted = false;
    if (m_session->models()->count() > 0)
        return;
    const QString last = m_settings->lastModel();
    const ModelId id = m_session->openModel(last.isEmpty() ? resourceFolder() / "demo" / "model" : toPath(last));
    m_session->setCurrentModel(id);
    if (last.isEmpty())
        m_session->messages()->post(Severity::Info, tr("No model was open, so the demo model was opened."));
    else
        m_taken = id;
}

} // namespace headroom::app
