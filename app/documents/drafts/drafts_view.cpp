// SPDX-License-Identifier: GPL-3.0-or-later
// Drafts as the session's view keeps them.
#include "app/documents/drafts/drafts.h"
#include "core/architecture/language_layers.h"

namespace headroom::app {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

QString reasonOfUnread(const std::exception& failure) {
    return dynamic_cast<const Error*>(&failure) ? QString::fromUtf8(failure.what()) : Drafts::tr("Its entry in the session is damaged.");
}

} // namespace

/// The layers in which something stands that is not what counts: cell by cell, since a text with a mistake
/// cannot be cut into heads.
json Drafts::writtenOf(const HeadGrid& grid) {
    auto layers = json::array();
    for (int number = kCrossAttention; number <= grid.layerCount(); ++number) {
        if (!grid.has(number))
            continue;
        const HeadGrid::Layer& layer = grid.layer(number);
        if (layer.cells == cellsOf(layer.heads))
            continue;
        auto cells = json::array();
        for (const HeadCell& cell : layer.cells)
            cells.push_back({{"text", cell.text}, {"joined", cell.joined}});
        layers.push_back({{"layer", number}, {"cells", std::move(cells)}});
    }
    return layers;
}

void Drafts::takeWritten(HeadGrid& grid, const json& written) {
    if (!written.is_array())
        return;
    for (const json& one : written) {
        const int number = one.value("layer", -1);
        if (!grid.has(number) || !one.contains("cells") || !one["cells"].is_array())
            continue;
        LayerCells cells;
        for (const json& cell : one["cells"])
            cells.push_back({cell.value("text", ""), cell.value("joined", false)});
        if (cells.size() == grid.layer(number).cells.size())
            grid.restore(number, {std::move(cells), grid.layer(number).heads});
    }
    grid.settle();
}

json Drafts::keptOf(const Draft& draft) {
    auto kept = json::object();
    if (auto written = writtenOf(draft.grid); !written.empty())
        kept["written"] = std::move(written);
    if (draft.saved) {
        kept["file"] = draft.file.string();
        kept["saved"] = canonicalText(*draft.saved);
    }
    return kept;
}

void Drafts::takeKept(Draft& draft, const json& kept) {
    try {
        takeWritten(draft.grid, kept.value("written", json::array()));
        if (!kept.contains("saved"))
            return;
        const std::string file = kept.at("file").get<std::string>();
        draft.saved = withLanguageLayers(parseArchitecture(kept.at("saved").get<std::string>(), "session.json"));
        draft.file = file;
    } catch (const std::exception& failure) {
        keepUnread({{"architecture", kept.is_object() && kept.contains("saved") ? kept["saved"] : kept}}, reasonOfUnread(failure));
    }
}

json Drafts::viewState() const {
    auto documents = json::array(), models = json::array();
    int current = -1;
    const auto addModel = [&models](const std::string& folder, json kept) {
        kept["folder"] = folder;
        if (!kept.contains("written"))
            kept["written"] = json::array(); // earlier versions need it
        models.push_back(std::move(kept));
    };
    for (const auto& [key, draft] : m_drafts) {
        if (key.document == 0) {
            if (json kept = keptOf(draft); !kept.empty())
                addModel(draft.folder.string(), std::move(kept));
            continue;
        }
        if (key == m_current)
            current = int(documents.size());
        documents.push_back({{"architecture", canonicalText(architecture(key))},
                             {"base", canonicalText(draft.base)},
                             {"original", canonicalText(original(key))},
                             {"startedFrom", draft.startedFrom.toStdString()},
                             {"file", draft.file.string()},
                             {"written", writtenOf(draft.grid)}});
    }
    for (const auto& [folder, kept] : m_waiting)
        addModel(folder, kept);
    for (const auto& [number, document] : m_unread) // last: `current` counts the others
        documents.push_back(document);
    return {{"documents", documents}, {"current", current}, {"models", models}};
}

void Drafts::restoreView(const json& view) {
    for (const DraftKey key : keys())
        if (key.document > 0)
            closeDocument(key);
    m_waiting.clear();
    const json state = view.is_object() ? view : json::object();
    for (const json& one : state.value("models", json::array()))
        try {
            m_waiting[one.at("folder").get<std::string>()] = one;
        } catch (const std::exception& failure) { // its model is unknown
            keepUnread({{"architecture", one}}, reasonOfUnread(failure));
        }
    for (auto& [key, draft] : m_drafts) {
        if (key.document > 0)
            continue;
        if (const auto waiting = m_waiting.extract(draft.folder.string())) {
            takeKept(draft, waiting.mapped());
            Q_EMIT draftChanged(key);
        }
    }
    const json current = state.value("current", json());
    int row = -1;
    for (const json& one : state.value("documents", json::array())) {
        ++row;
        if (keepOfOtherHeads(one))
            continue;
        try {
            const auto read = [&one](const char* key) {
                return withLanguageLayers(parseArchitecture(one.at(key).get<std::string>(), "session.json"));
            };
            const Architecture architecture = read("architecture"), base = one.contains("base") ? read("base") : architecture,
                               first = one.contains("original") ? read("original") : base;
            HeadGrid grid = gridOf(architecture);
            takeWritten(grid, one.value("written", json::array()));
            const DraftKey key{ModelId::None, ++m_lastDocument};
            m_drafts[key] = {QString::fromStdString(base.name),
                             QString::fromStdString(one.value("startedFrom", "")),
                             base,
                             std::move(grid),
                             fs::path(one.value("file", "")),
                             {},
                             true,
                             first};
            if (current == json(row))
                setCurrent(key);
        } catch (const std::exception& failure) {
            keepUnread(one, reasonOfUnread(failure));
        }
    }
    Q_EMIT listChanged();
}

} // namespace headroom::app
