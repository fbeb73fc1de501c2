// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/drafts.h"

#include <QPointer>
#include <QUndoCommand>

namespace headroom::app {

/// One edit of heads in a draft or a document: “Heads of layer 9: 4 local 13 → 4 local 15”.
///
/// Holds what was written and what was valid before and after in every layer that it changes, so that undo
/// brings back mistakes, too. Merges with the command before it where that changed the same layers of the
/// same architecture and `step` is Continue; an edit that comes back to its start vanishes.
class SetHeads : public QUndoCommand {
public:
    using Layers = std::map<int, HeadGrid::Layer>; ///< by number, from 1

    /// `text`: what the step is called; empty: what it does.
    SetHeads(Drafts* drafts, DraftKey key, Layers before, Layers after, EditStep step, const QString& text);
    int id() const override { return 2; }
    bool mergeWith(const QUndoCommand* other) override;
    void undo() override;
    void redo() override;

private:
    void updateText();

    QPointer<Drafts> m_drafts;
    DraftKey m_key;
    Layers m_before, m_after;
    EditStep m_step;
    QString m_name;
};

} // namespace headroom::app
