// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/drafts/set_heads.h"

#include "core/architecture/edits.h"
#include "widgets/look/translate.h"

#include <QUndoStack>

#include <utility>

namespace headroom::app {

SetHeads::SetHeads(Drafts* drafts, std::shared_ptr<const DraftKey> key, Layers before, Layers after, EditStep step,
                   const QString& text)
    : m_drafts(drafts)
    , m_key(std::move(key))
    , m_before(std::move(before))
    , m_after(std::move(after))
    , m_step(step)
    , m_name(text) {
    updateText();
}

SetHeads* SetHeads::ofWindow(Drafts* drafts, std::shared_ptr<const DraftKey> key, Layers before, Layers after, int layer,
                             EditStep step) {
    auto* command = new SetHeads(drafts, std::move(key), std::move(before), std::move(after), step, {});
    command->m_windowOf = layer;
    command->updateText();
    return command;
}

void SetHeads::updateText() {
    const auto written = [](const HeadGrid::Layer& layer) {
        return QString::fromStdString(textOf(layer.cells));
    };
    const auto window = [&](const Layers& layers) {
        const auto found = windowOf(layers.at(m_windowOf).heads);
        return found ? QString::number(*found) : tr("full");
    };
    if (!m_name.isEmpty())
        setText(m_name);
    else if (m_windowOf > 0)
        setText(
            tr("window of layer %1: %2 → %3").arg(m_windowOf).arg(window(m_before), window(m_after)));
    else if (m_after.size() == 1 && m_after.begin()->first == kCrossAttention)
        setText(tr("cross-attention of the decoder: %1 → %2").arg(written(m_before.begin()->second), written(m_after.begin()->second)));
    else if (m_after.size() == 1)
        setText(tr("heads of layer %1: %2 → %3")
                    .arg(m_after.begin()->first)
                    .arg(written(m_before.begin()->second), written(m_after.begin()->second)));
    else if (m_after.begin()->first == kCrossAttention)
        setText(m_after.size() == 2 ? tr("heads of 1 layer and of the decoder's cross-attention")
                                    : tr("heads of %1 layers and of the decoder's cross-attention").arg(m_after.size() - 1));
    else
        setText(tr("heads of %1 layers, %2 to %3")
                    .arg(m_after.size())
                    .arg(m_after.begin()->first)
                    .arg(m_after.rbegin()->first));
}

bool SetHeads::mergeWith(const QUndoCommand* other) {
    if (other->id() != id())
        return false;
    const auto* next = static_cast<const SetHeads*>(other);
    const auto layersOf = [](const Layers& layers) {
        std::vector<int> numbers;
        for (const auto& [layer, state] : layers)
            numbers.push_back(layer);
        return numbers;
    };
    if (next->m_step != EditStep::Continue || m_positions || next->m_positions || next->key() != key() || next->m_drafts != m_drafts ||
        next->m_windowOf != m_windowOf || next->m_name != m_name ||
        layersOf(next->m_after) != layersOf(m_after))
        return false;
    m_after = next->m_after;
    setObsolete(m_after == m_before);
    updateText();
    return true;
}

void SetHeads::undo() {
    restore(m_before, m_positions ? std::optional(m_positions->first) : std::nullopt);
}

void SetHeads::redo() {
    restore(m_after, m_positions ? std::optional(m_positions->second) : std::nullopt);
}

void SetHeads::restore(const Layers& layers, std::optional<Positions> positions) {
    setObsolete(!m_drafts || !m_drafts->has(key())); // closed: nothing is left to undo
    if (!m_drafts)
        return;
    m_drafts->restore(key(), layers, positions);
    if (std::exchange(m_wasDone, true)) // undone or done again, perhaps while another architecture is looked at
        m_drafts->setCurrent(key());
}

void SetHeads::dropStale(QUndoStack* stack) {
    const auto isStale = [](const QUndoCommand* step) {
        const auto* edit = dynamic_cast<const SetHeads*>(step);
        return step->isObsolete() || (edit && (!edit->m_drafts || !edit->m_drafts->has(edit->key())));
    };
    while (stack->canUndo() && isStale(stack->command(stack->index() - 1)))
        stack->undo(); // of a stale step: removes it
    while (stack->canRedo() && isStale(stack->command(stack->index())))
        stack->redo();
    // Qt does not say it where a step is removed without the index changing.
    Q_EMIT stack->canRedoChanged(stack->canRedo());
    Q_EMIT stack->redoTextChanged(stack->redoText());
}

} // namespace headroom::app
