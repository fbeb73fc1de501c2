// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/set_window.h"
#include "app/documents/session.h"
#include "app/documents/utterance_reader.h"

#include <algorithm>

namespace headroom::app {

void Session::setCurrentUtterance(UtteranceId id) {
    if (id != UtteranceId::None && !m_utterances.find(id))
        id = UtteranceId::None;
    if (m_currentUtterance == id)
        return;
    m_currentUtterance = id;
    Q_EMIT currentUtteranceChanged();
}

void Session::setCurrentModel(ModelId id) {
    if (id != ModelId::None && !m_models.find(id))
        id = ModelId::None;
    if (m_currentModel == id)
        return;
    m_currentModel = id;
    Q_EMIT currentModelChanged();
    clampLayer();
}

void Session::setCurrentLayer(int layer) {
    layer = std::max(layer, 1);
    if (const OpenModel* model = currentModel(); model && model->layerCount() > 0)
        layer = std::min(layer, model->layerCount());
    if (m_currentLayer == layer)
        return;
    m_currentLayer = layer;
    Q_EMIT currentLayerChanged();
}

void Session::setMapSource(MapSource source) {
    if (m_source == source)
        return;
    m_source = source;
    Q_EMIT mapSourceChanged();
}

void Session::clampLayer() {
    setCurrentLayer(m_currentLayer);
}

/// What was just dropped becomes current as soon as the first of it can be read; what cannot be read leaves
/// the window as it was.
void Session::settleWanted() {
    while (!m_wantedUtterances.empty()) {
        const Utterance* first = m_utterances.find(m_wantedUtterances.front());
        if (first && first->state == OpenState::Reading)
            break;
        if (first && first->state == OpenState::Ready) {
            const UtteranceId id = first->id;
            m_wantedUtterances.clear();
            setCurrentUtterance(id);
            break;
        }
        m_wantedUtterances.erase(m_wantedUtterances.begin());
    }
    while (!m_wantedModels.empty()) {
        const OpenModel* first = m_models.find(m_wantedModels.front());
        if (first && first->state == OpenState::Reading)
            break;
        if (first && first->state == OpenState::Ready) {
            const ModelId id = first->id;
            m_wantedModels.clear();
            setCurrentModel(id);
            break;
        }
        m_wantedModels.erase(m_wantedModels.begin());
    }
}

void Session::setPart(UtteranceId id, std::optional<Part> part) {
    const Utterance* utterance = m_utterances.find(id);
    if (!utterance || utterance->part == part)
        return;
    m_utterances.update(id, [&](Utterance& changed) { changed.part = part; });
    setModified();
    Q_EMIT utteranceChanged(id);
}

void Session::setModelEnabled(ModelId id, bool enabled) {
    const int row = m_models.rowOf(id);
    if (row >= 0)
        m_models.setData(m_models.index(row), enabled ? Qt::Checked : Qt::Unchecked, Qt::CheckStateRole);
}

void Session::setWindow(ModelId id, int layer, std::optional<int> window, EditStep step) {
    const OpenModel* model = m_models.find(id);
    if (!model || model->state != OpenState::Ready || layer < 1 ||
        static_cast<std::size_t>(layer) > model->draft.encoder.layers.size())
        return;
    const auto before = model->draft.encoder.layers[static_cast<std::size_t>(layer) - 1].heads;
    auto after = withWindow(before, window);
    if (after != before)
        m_undo.push(new SetWindow(this, id, layer, before, std::move(after), step));
}

void Session::setDraftHeads(ModelId id, int layer, const std::vector<HeadGroup>& heads) {
    const OpenModel* model = m_models.find(id);
    if (!model || layer < 1 || static_cast<std::size_t>(layer) > model->draft.encoder.layers.size())
        return;
    m_models.update(id, [&](OpenModel& open) {
        open.draft.encoder.layers[static_cast<std::size_t>(layer) - 1].heads = heads;
    });
    Q_EMIT draftChanged(id, layer);
}

void Session::setModelReading(ModelId id) {
    if (!m_models.find(id))
        return;
    m_models.update(id, [](OpenModel& model) {
        model.state = OpenState::Reading;
        model.sentence.clear();
    });
    Q_EMIT modelChanged(id);
}

void Session::setModelFailed(ModelId id, const QString& sentence) {
    if (!m_models.find(id))
        return;
    m_models.update(id, [&](OpenModel& model) {
        model.state = OpenState::Failed;
        model.sentence = sentence;
    });
    m_messages.post(Severity::Error, sentence, tr("Open again"), [this, id] { retryModel(id); });
    Q_EMIT modelChanged(id);
    settleWanted();
}

namespace {

bool fits(const Architecture& draft, const Architecture& base) {
    if (draft.encoder.layers.size() != base.encoder.layers.size())
        return false;
    for (std::size_t layer = 0; layer < base.encoder.layers.size(); ++layer)
        if (draft.encoder.layers[layer].headCount() != base.encoder.layers[layer].headCount())
            return false;
    return true;
}

QString damage(const ModelInfo& info) {
    const auto bad = info.missing.size() + info.wrongShape.size();
    return bad == 0 ? QString()
                    : Session::tr("%1 opened with %2 of %3 tensors missing or of a wrong shape.")
                          .arg(info.name)
                          .arg(bad)
                          .arg(info.tensors + info.missing.size());
}

} // namespace

void Session::setModelOpened(ModelId id, ModelInfo info) {
    const OpenModel* model = m_models.find(id);
    if (!model)
        return;
    const bool again =
        model->info && model->info->architecture == info.architecture; // the worker was restarted
    auto draft = again ? model->draft : info.architecture;
    if (const auto saved = m_savedDrafts.find(id); saved != m_savedDrafts.end()) {
        if (fits(saved->second, info.architecture))
            draft = saved->second;
        else
            m_messages.post(Severity::Warning,
                            tr("The saved draft for %1 was left out: its layers and heads are not those "
                               "of the model.")
                                .arg(info.name));
        m_savedDrafts.erase(saved);
    }
    QStringList warnings = model->warnings;
    if (const QString sentence = damage(info); !sentence.isEmpty() && !warnings.contains(sentence)) {
        warnings << sentence;
        m_messages.post(Severity::Warning, sentence);
    }
    m_models.update(id, [&](OpenModel& open) {
        open.state = OpenState::Ready;
        open.sentence.clear();
        open.warnings = warnings;
        open.name = info.name.isEmpty() ? open.name : info.name;
        open.info = std::move(info);
        open.draft = std::move(draft);
    });
    Q_EMIT modelChanged(id);
    if (id == m_currentModel)
        clampLayer();
    settleWanted();
}

void Session::setModified() {
    m_modified = true;
    tellModified();
}

void Session::tellModified() {
    Q_EMIT changed();
    if (isModified() == m_toldModified)
        return;
    m_toldModified = isModified();
    Q_EMIT modifiedChanged(m_toldModified);
}

} // namespace headroom::app
