// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/drafts.h"

#include "app/commands/set_heads.h"
#include "app/documents/paths.h"

#include <QSaveFile>

#include <algorithm>

namespace headroom::app {

namespace fs = std::filesystem;

Drafts::Drafts(Session* session, QObject* parent) : QObject(parent), m_session(session) {
    connect(session, &Session::modelChanged, this, &Drafts::takeModel);
    connect(session, &Session::modelRemoved, this, &Drafts::removeModel);
    connect(session, &Session::draftChanged, this, &Drafts::takeLayer);
    connect(session, &Session::currentModelChanged, this, &Drafts::followModel);
    for (int row = 0; row < session->models()->count(); ++row)
        takeModel(session->models()->at(row).id);
}

HeadGrid Drafts::gridOf(const Architecture& architecture) {
    return HeadGrid(architecture.encoder.layers, surroundingsOf(architecture));
}

std::vector<DraftKey> Drafts::keys() const {
    std::vector<DraftKey> keys;
    for (int row = 0; row < m_session->models()->count(); ++row)
        if (const DraftKey key{m_session->models()->at(row).id, 0}; has(key))
            keys.push_back(key);
    for (const auto& [key, draft] : m_drafts)
        if (key.document > 0)
            keys.push_back(key);
    return keys;
}

QString Drafts::name(DraftKey key) const {
    const auto found = m_drafts.find(key);
    return found == m_drafts.end() ? QString() : found->second.name;
}

bool Drafts::isEdited(DraftKey key) const {
    const Draft& draft = m_drafts.at(key);
    return !draft.grid.mistakes().empty() || draft.grid.validLayers() != draft.base.encoder.layers;
}

QString Drafts::origin(DraftKey key) const {
    const Draft& draft = m_drafts.at(key);
    const bool edited = isEdited(key);
    if (key.document == 0)
        return edited ? tr("draft, edited") : tr("unchanged");
    if (draft.startedFrom.isEmpty())
        return edited ? tr("edited") : toQString(draft.file.filename());
    return edited ? tr("edited, from %1").arg(draft.startedFrom) : tr("from %1").arg(draft.startedFrom);
}

Architecture Drafts::architecture(DraftKey key) const {
    const Draft& draft = m_drafts.at(key);
    Architecture result = draft.base;
    result.encoder.layers = draft.grid.validLayers();
    if (result.encoder.layers != draft.base.encoder.layers)
        result.publishedParameters.reset(); // the count in the paper was another architecture's
    return result;
}

void Drafts::setCurrent(DraftKey key) {
    if (!has(key) || key == m_current)
        return;
    m_current = key;
    if (key.model != ModelId::None)
        m_session->setCurrentModel(key.model);
    Q_EMIT currentChanged();
}

void Drafts::followModel() {
    const DraftKey key{m_session->currentModelId(), 0};
    if (m_current.document > 0 || key == m_current || (!has(key) && !key.isNone()))
        return;
    m_current = key;
    Q_EMIT currentChanged();
}

void Drafts::takeModel(ModelId id) {
    const OpenModel* model = m_session->models()->find(id);
    if (!model || !model->info || model->maps) // maps have no design
        return;
    const DraftKey key{id, 0};
    const auto found = m_drafts.find(key);
    if (found != m_drafts.end() && found->second.base == model->info->architecture &&
        found->second.grid.validLayers() == model->draft.encoder.layers && found->second.name == model->name)
        return; // only its state or its tick changed: what is written stays
    m_drafts[key] = {model->name, {}, model->info->architecture, gridOf(model->draft), {}};
    if (const auto waiting = m_waiting.extract(model->folder.string()))
        takeWritten(m_drafts[key].grid, waiting.mapped());
    Q_EMIT listChanged();
    followModel();
    Q_EMIT draftChanged(key);
}

void Drafts::takeLayer(ModelId id, int layer) {
    const auto found = m_drafts.find({id, 0});
    const OpenModel* model = m_session->models()->find(id);
    if (m_restoring || found == m_drafts.end() || !model || layer < 1 ||
        layer > found->second.grid.layerCount())
        return;
    const auto& heads = model->draft.encoder.layers[static_cast<std::size_t>(layer) - 1].heads;
    found->second.grid.restore(layer, {cellsOf(heads), heads});
    found->second.grid.settle();
    Q_EMIT draftChanged(found->first);
}

void Drafts::removeModel(ModelId id) {
    if (m_drafts.erase({id, 0}) == 0)
        return;
    if (m_current == DraftKey{id, 0}) {
        m_current = {};
        followModel();
        if (m_current.isNone() && !m_drafts.empty())
            m_current = keys().empty() ? DraftKey{} : keys().front();
        Q_EMIT currentChanged();
    }
    Q_EMIT listChanged();
}

void Drafts::write(DraftKey key, const std::vector<HeadsText>& texts, EditStep step, const QString& text) {
    const auto found = m_drafts.find(key);
    if (found == m_drafts.end())
        return;
    const HeadGrid& before = found->second.grid;
    HeadGrid after = before;
    for (const HeadsText& one : texts)
        after.write(one.layer, one.first, one.last, one.text.toStdString());
    after.settle();
    // Layers that were held back may come along: the step is everything that differs.
    SetHeads::Layers from, to;
    for (int layer = 1; layer <= before.layerCount(); ++layer)
        if (before.layer(layer) != after.layer(layer)) {
            from[layer] = before.layer(layer);
            to[layer] = after.layer(layer);
        }
    if (!from.empty())
        m_session->undoStack()->push(new SetHeads(this, key, std::move(from), std::move(to), step, text));
}

void Drafts::restore(DraftKey key, const std::map<int, HeadGrid::Layer>& layers) {
    const auto found = m_drafts.find(key);
    if (found == m_drafts.end())
        return;
    for (const auto& [layer, state] : layers)
        found->second.grid.restore(layer, state);
    found->second.grid.settle();
    if (key.model != ModelId::None) {
        m_restoring = true;
        const auto valid = found->second.grid.validLayers();
        for (int layer = 1; layer <= int(valid.size()); ++layer) {
            const OpenModel* model = m_session->models()->find(key.model);
            const auto& heads = valid[static_cast<std::size_t>(layer) - 1].heads;
            if (model && model->draft.encoder.layers[static_cast<std::size_t>(layer) - 1].heads != heads)
                m_session->setDraftHeads(key.model, layer, heads);
        }
        m_restoring = false;
    }
    Q_EMIT draftChanged(key);
}

DraftKey Drafts::newDocument(const Architecture& architecture, const QString& startedFrom) {
    const DraftKey key{ModelId::None, ++m_lastDocument};
    QString name = QString::fromStdString(architecture.name);
    const auto isTaken = [this](const QString& wanted) {
        return std::any_of(m_drafts.begin(), m_drafts.end(),
                           [&](const auto& one) { return one.second.name == wanted; });
    };
    if (name.isEmpty())
        name = tr("Untitled");
    const QString stem = name;
    for (int number = startedFrom.isEmpty() ? 2 : 1; number == 1 || isTaken(name); ++number)
        name = tr("%1, copy %2").arg(stem).arg(number);
    Architecture base = architecture;
    base.name = name.toStdString();
    m_drafts[key] = {name, startedFrom, base, gridOf(base), {}};
    Q_EMIT listChanged();
    setCurrent(key);
    return key;
}

DraftKey Drafts::openDocument(const fs::path& file) {
    const fs::path path = normalised(file);
    for (const auto& [key, draft] : m_drafts)
        if (key.document > 0 && draft.file == path) {
            setCurrent(key);
            return key;
        }
    Architecture architecture = readArchitecture(path);
    const DraftKey key{ModelId::None, ++m_lastDocument};
    const QString name =
        architecture.name.empty() ? toQString(path.stem()) : QString::fromStdString(architecture.name);
    HeadGrid grid = gridOf(architecture);
    m_drafts[key] = {name, {}, std::move(architecture), std::move(grid), path};
    Q_EMIT listChanged();
    setCurrent(key);
    return key;
}

void Drafts::save(DraftKey key, const fs::path& file) {
    Draft& draft = m_drafts.at(key);
    const fs::path path = normalised(file);
    Architecture written = architecture(key);
    if (key.document > 0 && draft.file != path)
        written.name = path.stem().string();
    const std::string text = canonicalText(written);
    QSaveFile out(toQString(path));
    if (!out.open(QIODevice::WriteOnly) ||
        out.write(text.data(), qint64(text.size())) != qint64(text.size()) || !out.commit())
        throw Error("architecture.unwritable",
                    path.string() + " could not be written: " + out.errorString().toStdString() + ".",
                    {{"file", path.string()}});
    if (key.document == 0)
        return;
    draft.file = path;
    draft.startedFrom.clear();
    draft.name = QString::fromStdString(written.name);
    draft.base = std::move(written);
    Q_EMIT listChanged();
    Q_EMIT draftChanged(key);
}

void Drafts::closeDocument(DraftKey key) {
    if (key.document == 0 || m_drafts.erase(key) == 0)
        return;
    if (m_current == key) {
        m_current = {};
        followModel();
        if (m_current.isNone() && !keys().empty())
            m_current = keys().front();
        Q_EMIT currentChanged();
    }
    Q_EMIT listChanged();
}

} // namespace headroom::app
