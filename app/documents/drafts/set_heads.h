// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/drafts/drafts.h"

#include <QPointer>
#include <QUndoCommand>

#include <memory>
#include <optional>
#include <utility>

class QUndoStack;

namespace headroom::app {

/// The one undo command: an edit of heads in a draft or a document, “heads of layer 9: 4 local 13 → 4 local
/// 15”, of a layer's window, “window of layer 11: 17 → 23”, or of the positions of the encoder.
///
/// Holds what was written and what was valid before and after in every layer that changes, so that undo
/// brings back mistakes and mixed layers exactly. Merges with the command before it if that changed the same
/// layers of the same architecture in the same way and `step` is Continue. A merged edit that is back at its
/// start vanishes; so does the edit of an architecture that was closed for good. Undo and redo show the architecture that they
/// change. Window's thread.
class SetHeads : public QUndoCommand {
public:
    using Layers = std::map<int, HeadGrid::Layer>; ///< by number, from 1

    /// `key` is that of the draft, which changes when the draft becomes a document. `text` names the step, as it follows “Undo”;
    /// empty: the heads before and after do.
    SetHeads(Drafts* drafts, std::shared_ptr<const DraftKey> key, Layers before, Layers after, EditStep step, const QString& text);
    /// The same, named after the window of `layer`, which is one of those that change.
    static SetHeads* ofWindow(Drafts* drafts, std::shared_ptr<const DraftKey> key, Layers before, Layers after, int layer,
                              EditStep step);
    /// Before the first redo(): the positions change, too. Needs a text.
    void changePositions(Positions before, Positions after) { m_positions = {before, after}; }
    int id() const override { return 1; }
    bool mergeWith(const QUndoCommand* other) override;
    DraftKey key() const { return *m_key; }
    bool changes(int layer) const { return m_after.count(layer) > 0; } ///< from 1
    void undo() override;
    void redo() override;

    /// Takes steps that can no longer be undone or done again off both ends of the stack: obsolete ones, and edits of what was closed
    /// for good. Not within a step of the stack.
    static void dropStale(QUndoStack* stack);

private:
    void updateText();
    void restore(const Layers& layers, std::optional<Positions> positions);

    QPointer<Drafts> m_drafts;
    std::shared_ptr<const DraftKey> m_key;
    Layers m_before, m_after;
    EditStep m_step;
    QString m_name;
    std::optional<std::pair<Positions, Positions>> m_positions; ///< before and after
    int m_windowOf = 0; ///< layer that names the step; 0: none
    bool m_wasDone = false;
};

} // namespace headroom::app
