// SPDX-License-Identifier: GPL-3.0-or-later
// The drafts of open models: when they come, stay and go.
#include "app/documents/drafts/drafts.h"
#include "app/documents/drafts/set_heads.h"
#include "app/documents/items/messages.h"
#include "core/architecture/language_layers.h"
#include "core/architecture/other_positions.h"

#include <utility>

namespace headroom::app {

namespace {

bool haveSameHeads(const Architecture& draft, const Architecture& base) {
    if (draft.encoder.layers.size() != base.encoder.layers.size())
        return false;
    for (std::size_t layer = 0; layer < base.encoder.layers.size(); ++layer)
        if (draft.encoder.layers[layer].headCount() != base.encoder.layers[layer].headCount())
            return false;
    const auto cross = [](const Architecture& one) { return one.decoder ? headCount(one.decoder->crossAttention) : 0; };
    return cross(draft) == cross(base);
}

bool haveSameLayers(const Architecture& one, const Architecture& other) {
    const auto cross = [](const Architecture& of) { return of.decoder ? of.decoder->crossAttention : std::vector<HeadGroup>(); };
    return one.encoder.layers == other.encoder.layers && cross(one) == cross(other);
}

} // namespace

void Drafts::keepForModel(ModelId id, Architecture saved) {
    m_saved[id] = withLanguageLayers(std::move(saved));
}

nlohmann::json Drafts::written(ModelId id) const {
    const auto found = m_drafts.find({id, 0});
    return found == m_drafts.end() ? nlohmann::json::object() : keptOf(found->second);
}

void Drafts::keepWritten(const std::filesystem::path& model, const nlohmann::json& kept) {
    if (!kept.empty())
        m_waiting[model.string()] = kept;
}

void Drafts::openModel(const OpenModel& model) {
    if (!model.info)
        return;
    const DraftKey key{model.id, 0};
    const Architecture& base = model.info->architecture;
    const auto saved = m_saved.extract(model.id);
    if (const auto found = m_drafts.find(key); found != m_drafts.end() && saved.empty()) { // the worker was restarted, or its files changed
        if (found->second.base != base)
            return replaceModel(key, model);
        if (found->second.name != model.name || found->second.design != model.design) {
            found->second.name = model.name;
            found->second.design = model.design;
            Q_EMIT listChanged();
        }
        return;
    }
    Draft draft{model.name, {}, base, gridOf(base), {}, model.folder, !model.maps};
    draft.design = model.design;
    const bool fits = saved && haveSameHeads(saved.mapped(), base);
    if (fits) {
        draft.grid = HeadGrid(saved.mapped().encoder.layers, surroundingsOf(withPositions(base, saved.mapped().encoder.positions)),
                              saved.mapped().decoder ? saved.mapped().decoder->crossAttention : std::vector<HeadGroup>());
    }
    const auto waiting = m_waiting.extract(model.folder.string());
    if (saved && !fits) // with what was written in it: the model's own layers are not those
        keepOfOtherHeads(model.name, saved.mapped(), waiting ? waiting.mapped() : nlohmann::json::object());
    else if (waiting)
        takeKept(draft, waiting.mapped());
    m_drafts[key] = std::move(draft);
    Q_EMIT listChanged();
    follow();
    Q_EMIT draftChanged(key);
}

/// Its files have another architecture than the draft began with.
void Drafts::replaceModel(DraftKey key, const OpenModel& model) {
    const Architecture& base = model.info->architecture;
    Draft draft{model.name, {}, base, gridOf(base), {}, model.folder, !model.maps};
    draft.design = model.design;
    Draft& before = m_drafts.at(key);
    std::vector<LayerWindow> windows;
    DraftKey document;
    if (haveSameLayers(before.base, base)) { // its edits say the same as before
        if (before.grid.positions() == before.base.encoder.positions)
            before.grid.setPositions(base.encoder.positions); // never chosen
        draft.grid = gridOf(withLayers(base, before.grid));
        takeWritten(draft.grid, writtenOf(before.grid));
        draft.file = before.file;
        draft.saved = before.saved;
        draft.steps = before.steps;
    } else if (before.isListed && isEdited(key)) {
        document = becomeDocument(key);
    } else {
        for (int layer = 1; layer <= before.grid.layerCount() && isEdited(key); ++layer)
            windows.push_back({layer, window(key, layer)});
        if (before.steps)
            *before.steps = {}; // they changed layers that are gone
    }
    m_drafts[key] = std::move(draft);
    Q_EMIT listChanged();
    follow();
    Q_EMIT draftChanged(key);
    if (!windows.empty())
        setWindows(key, windows, tr("windows of “%1” over its new maps").arg(model.name));
    if (document.isNone())
        return SetHeads::dropStale(m_undo);
    Q_EMIT documentsEdited();
    m_messages->post(Severity::Warning,
                     tr("“%1” was opened again with other layers or heads. Its edits are now the architecture “%2”.").arg(model.name, name(document)),
                     tr("Show it"),
                     [this, document] {
                         m_messages->settle(causeOf(document));
                         Q_EMIT documentRequested(document);
                     },
                     {causeOf(document)});
}

QString Drafts::causeOf(DraftKey document) {
    return QStringLiteral("architecture %1").arg(document.document);
}

/// With its undo steps. It is still told from the model, or from its file.
DraftKey Drafts::becomeDocument(DraftKey model) {
    auto moved = m_drafts.extract(model);
    Draft& draft = moved.mapped();
    const QString design = std::exchange(draft.design, {});
    if (draft.saved) {
        draft.original = std::exchange(draft.base, *std::exchange(draft.saved, std::nullopt));
        draft.name = QString::fromStdString(draft.base.name);
    } else {
        draft.startedFrom = std::exchange(draft.name, freeName(design.isEmpty() ? draft.name : design, 1));
        draft.base.name = draft.name.toStdString();
    }
    draft.folder.clear();
    const DraftKey key{ModelId::None, ++m_lastDocument};
    if (draft.steps)
        *draft.steps = key;
    moved.key() = key;
    m_drafts.insert(std::move(moved));
    return key;
}

void Drafts::moveModel(ModelId id, const std::filesystem::path& from, const std::filesystem::path& to) {
    if (const auto found = m_drafts.find({id, 0}); found != m_drafts.end())
        found->second.folder = to;
    if (auto waiting = m_waiting.extract(from.string())) {
        waiting.key() = to.string();
        m_waiting.insert(std::move(waiting));
    }
}

void Drafts::closeModel(ModelId id) {
    m_saved.erase(id);
    setAside({id, 0});
}

std::optional<Architecture> Drafts::savedDraft(ModelId id) const {
    if (const auto saved = m_saved.find(id); saved != m_saved.end())
        return saved->second; // its model did not open: the draft is kept for when it does
    const auto found = m_drafts.find({id, 0});
    if (found == m_drafts.end())
        return std::nullopt;
    Architecture draft = edited(found->second);
    return draft == found->second.base ? std::nullopt : std::optional(std::move(draft));
}

} // namespace headroom::app
