// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/drafts/drafts.h"
#include "app/documents/session.h"
#include "tests/support/app_fixtures.h"

#include <memory>

namespace headroom::testing {

/// A session with one open model, of 12 layers unless told otherwise, and what is written in its draft.
class OneDraft {
protected:
    void reset(const app::ModelDescription& info = Workshop::info(12)) {
        m_session.reset();
        m_workshop = std::make_unique<Workshop>();
        m_session = std::make_unique<app::Session>();
        m_drafts = m_session->drafts();
        m_model = m_session->openModel(m_workshop->model("m"));
        m_session->setModelOpened(m_model, info);
        m_session->setCurrentModel(m_model);
    }
    QString heads(int layer) const {
        return QString::fromStdString(toText(m_drafts->heads({m_model}, layer)));
    }
    QString written(app::DraftKey key, int layer) const {
        return QString::fromStdString(textOf(m_drafts->grid(key).layer(layer).cells));
    }
    void undo() { m_session->undoStack()->undo(); }
    app::DraftKey key() const { return {m_model, 0}; }

    std::unique_ptr<Workshop> m_workshop;
    std::unique_ptr<app::Session> m_session;
    app::Drafts* m_drafts = nullptr; ///< the session's
    app::ModelId m_model = app::ModelId::None;
};

} // namespace headroom::testing
