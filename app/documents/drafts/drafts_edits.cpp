// SPDX-License-Identifier: GPL-3.0-or-later
// Edits of a draft, each of them one SetHeads command.
#include "app/documents/drafts/drafts.h"
#include "app/documents/drafts/set_heads.h"
#include "core/architecture/edits.h"
#include "core/architecture/other_positions.h"

#include <QUndoStack>

namespace headroom::app {

namespace {

/// The layer gets what a window makes of its valid heads; a mistake that is written there gives way. Layers
/// whose heads take no window stay as they are written.
void writeWindow(HeadGrid& grid, const LayerWindow& one) {
    const std::vector<HeadGroup>& heads = grid.layer(one.layer).heads;
    LayerCells cells = cellsOf(withWindow(heads, one.window));
    if (takesWindow(heads))
        grid.restore(one.layer, {std::move(cells), heads}); // settle() takes over what is valid
}

} // namespace

bool Drafts::write(DraftKey key, const std::vector<HeadsText>& texts, EditStep step, const QString& text) {
    const auto found = m_drafts.find(key);
    if (found == m_drafts.end())
        return false;
    HeadGrid after = found->second.grid;
    for (const HeadsText& one : texts)
        if (one.layer != kCrossAttention || after.has(kCrossAttention))
            after.write(one.layer, one.first, one.last, one.text.toStdString());
    after.settle();
    return push(key, after, step, text, 0);
}

bool Drafts::setPositions(DraftKey key, Positions positions) {
    const auto found = m_drafts.find(key);
    if (found == m_drafts.end() || !whyNotPositions(architecture(key), positions).empty())
        return false;
    HeadGrid after = found->second.grid;
    const Positions before = after.positions();
    after.setPositions(positions);
    after.settle();
    return push(key, after, EditStep::New,
                tr("positions: %1 → %2").arg(QString::fromStdString(wordOf(before)), QString::fromStdString(wordOf(positions))), 0);
}

bool Drafts::revert(DraftKey key) {
    const auto found = m_drafts.find(key);
    if (found == m_drafts.end())
        return false;
    const Architecture& base = found->second.base;
    HeadGrid after = found->second.grid;
    after.setPositions(base.encoder.positions);
    for (int layer = 1; layer <= after.layerCount(); ++layer) {
        const Architecture::Layer& own = base.encoder.layers.at(static_cast<std::size_t>(layer) - 1);
        after.write(layer, 1, own.headCount(), toText(own.heads));
    }
    if (base.decoder && after.has(kCrossAttention))
        after.write(kCrossAttention, 1, headCount(base.decoder->crossAttention), toText(base.decoder->crossAttention));
    after.settle();
    return push(key, after, EditStep::New, tr("revert to the original"), 0);
}

bool Drafts::setWindow(DraftKey key, LayerWindow window, EditStep step) {
    const auto found = m_drafts.find(key);
    if (found == m_drafts.end() || window.layer < 1 || window.layer > found->second.grid.layerCount())
        return false;
    HeadGrid after = found->second.grid;
    writeWindow(after, window);
    after.settle();
    return push(key, after, step, {}, window.layer);
}

bool Drafts::setWindows(DraftKey key, const std::vector<LayerWindow>& windows, const QString& text) {
    const auto found = m_drafts.find(key);
    if (found == m_drafts.end())
        return false;
    HeadGrid after = found->second.grid;
    for (const LayerWindow& one : windows)
        if (one.layer >= 1 && one.layer <= after.layerCount())
            writeWindow(after, one);
    after.settle();
    return push(key, after, EditStep::New, text, 0);
}

/// `windowOf`: the layer whose window the step is named after; 0: heads.
bool Drafts::push(DraftKey key, const HeadGrid& after, EditStep step, const QString& text, int windowOf) {
    Draft& draft = m_drafts.at(key);
    const HeadGrid& before = draft.grid;
    // Layers that were held back may come along: the step is everything that differs.
    SetHeads::Layers from, to;
    for (int layer = kCrossAttention; layer <= before.layerCount(); ++layer)
        if (before.has(layer) && before.layer(layer) != after.layer(layer)) {
            from[layer] = before.layer(layer);
            to[layer] = after.layer(layer);
        }
    const bool hasOtherPositions = before.positions() != after.positions();
    if (from.empty() && !hasOtherPositions)
        return false;
    if (!draft.steps)
        draft.steps = std::make_shared<DraftKey>(key);
    SetHeads* edit = windowOf > 0 && from.count(windowOf) > 0
                         ? SetHeads::ofWindow(this, draft.steps, std::move(from), std::move(to), windowOf, step)
                         : new SetHeads(this, draft.steps, std::move(from), std::move(to), step, text);
    if (hasOtherPositions)
        edit->changePositions(before.positions(), after.positions());
    m_undo->push(edit);
    return true;
}

void Drafts::restore(DraftKey key, const std::map<int, HeadGrid::Layer>& layers, std::optional<Positions> positions) {
    const auto found = m_drafts.find(key);
    if (found == m_drafts.end())
        return;
    HeadGrid& grid = found->second.grid;
    if (positions)
        grid.setPositions(*positions);
    for (const auto& [layer, state] : layers)
        if (grid.has(layer) && grid.layer(layer).cells.size() == state.cells.size())
            grid.restore(layer, state);
    grid.settle();
    Q_EMIT draftChanged(key);
}

} // namespace headroom::app
