// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/set_window.h"

#include <QCoreApplication>

namespace headroom::app {

namespace {

QString windowText(const std::vector<HeadGroup>& heads) {
    const auto window = windowOf(heads);
    return window ? QString::number(*window) : QCoreApplication::translate("SetWindow", "full");
}

} // namespace

SetWindow::SetWindow(Session* session, ModelId model, int layer, std::vector<HeadGroup> before,
                     std::vector<HeadGroup> after, EditStep step)
    : m_session(session)
    , m_model(model)
    , m_layer(layer)
    , m_before(std::move(before))
    , m_after(std::move(after))
    , m_step(step) {
    updateText();
}

void SetWindow::updateText() {
    setText(QCoreApplication::translate("SetWindow", "Window of layer %1: %2 → %3")
                .arg(m_layer)
                .arg(windowText(m_before), windowText(m_after)));
}

bool SetWindow::mergeWith(const QUndoCommand* other) {
    if (other->id() != id())
        return false;
    const auto* next = static_cast<const SetWindow*>(other);
    if (next->m_step != EditStep::Continue || next->m_model != m_model || next->m_layer != m_layer)
        return false;
    m_after = next->m_after;
    setObsolete(m_after == m_before);
    updateText();
    return true;
}

void SetWindow::undo() {
    setObsolete(m_session->models()->find(m_model) ==
                nullptr); // the model was closed: nothing is left to undo
    m_session->setDraftHeads(m_model, m_layer, m_before);
}

void SetWindow::redo() {
    setObsolete(m_session->models()->find(m_model) == nullptr);
    m_session->setDraftHeads(m_model, m_layer, m_after);
}

} // namespace headroom::app
