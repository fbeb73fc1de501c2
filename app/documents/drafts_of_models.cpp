// SPDX-License-Identifier: GPL-3.0-or-later
// The drafts of open models: when they come, stay and go.
#include "app/documents/drafts.h"
#include "core/architecture/language_layers.h"

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
    const auto found = m_drafts.find(key);
    if (found != m_drafts.end() && found->second.base == base && saved.empty()) { // the worker was restarted
        if (found->second.name != model.name) {
            found->second.name = model.name;
            Q_EMIT listChanged();
        }
        return;
    }
    Draft draft{model.name, {}, base, gridOf(base), {}, model.folder, !model.maps};
    const bool fits = saved && haveSameHeads(saved.mapped(), base);
    if (fits) {
        draft.grid = HeadGrid(saved.mapped().encoder.layers, surroundingsOf(base),
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
