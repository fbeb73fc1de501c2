// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/session.h"
#include "core/architecture/edits.h"

#include <QUndoCommand>

namespace headroom::app {

/// One edit of a layer's window in a draft: “Window of layer 11: 17 → 23”.
///
/// Holds the heads of the layer before and after, so undo restores mixed layers exactly. Merges with the
/// command before it where that is the same layer of the same draft and `step` is Continue; an edit that
/// comes back to its start vanishes.
class SetWindow : public QUndoCommand {
public:
    SetWindow(Session* session, ModelId model, int layer, std::vector<HeadGroup> before,
              std::vector<HeadGroup> after, EditStep step);
    int id() const override { return 1; }
    bool mergeWith(const QUndoCommand* other) override;
    void undo() override;
    void redo() override;

private:
    void updateText();

    Session* m_session; ///< owns the stack that owns this
    ModelId m_model;
    int m_layer;
    std::vector<HeadGroup> m_before, m_after;
    EditStep m_step;
};

} // namespace headroom::app
