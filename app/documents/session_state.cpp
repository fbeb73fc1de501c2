// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/assign_maps.h"
#include "app/documents/drafts/drafts.h"
#include "app/documents/files/utterance_reader.h"
#include "app/documents/session.h"
#include "core/runs/run_folder.h"

#include <algorithm>
#include <utility>

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
    m_previousModel = std::exchange(m_currentModel, id);
    const int before = m_currentLayer;
    clampLayer(); // first: whoever is told of the model finds a layer that it has
    const MapSource source = std::exchange(m_source, sourceHere());
    m_drafts->followModel(id);
    Q_EMIT currentModelChanged();
    if (m_currentLayer != before)
        Q_EMIT currentLayerChanged();
    if (m_source != source)
        Q_EMIT mapSourceChanged();
}

/// Returns the chosen map, or the nearest one if no layer of the current model has it: its head may be missing or not relaxed.
MapSource Session::sourceHere() const {
    const OpenModel* model = currentModel();
    if (m_source.kind != MapSource::Kind::Head || !model || !model->info || model->info->architecture.encoder.layers.empty())
        return m_source;
    bool isThere = false, isRelaxed = false;
    for (const auto& layer : model->info->architecture.encoder.layers) {
        int last = 0;
        for (const HeadGroup& group : layer.heads)
            if (last += group.count; m_source.head <= last) {
                isThere = true;
                isRelaxed = isRelaxed || relaxesAtInference(group);
                break;
            }
    }
    return isThere ? MapSource{m_source.kind, m_source.head, m_source.raw && isRelaxed} : MapSource{};
}

void Session::setCurrentLayer(int layer) {
    const int before = std::exchange(m_currentLayer, layer);
    clampLayer();
    if (m_currentLayer != before)
        Q_EMIT currentLayerChanged();
}

void Session::setMapSource(MapSource source) {
    if (m_source == source)
        return;
    m_source = source;
    Q_EMIT mapSourceChanged();
}

void Session::setFullAbove(double loss) {
    if (m_fullAbove == loss)
        return;
    m_fullAbove = loss;
    Q_EMIT fullAboveChanged(loss);
}

/// Tells nobody.
void Session::clampLayer() {
    m_currentLayer = std::max(m_currentLayer, 1);
    if (const OpenModel* model = currentModel(); model && model->layerCount() > 0)
        m_currentLayer = std::min(m_currentLayer, model->layerCount());
}

/// What was just dropped becomes current as soon as the first of it can be read; what cannot be read leaves
/// the window as it was.
void Session::settleWanted() {
    while (!m_wantedUtterances.empty()) {
        const OpenUtterance* first = m_utterances.find(m_wantedUtterances.front());
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
    const OpenUtterance* utterance = m_utterances.find(id);
    if (!utterance || utterance->isText || utterance->part == part)
        return;
    m_utterances.update(id, [&](OpenUtterance& changed) { changed.part = part; });
    setModified();
    Q_EMIT utteranceChanged(id);
}

void Session::setModelEnabled(ModelId id, bool enabled) {
    const int row = m_models.rowOf(id);
    if (row >= 0)
        m_models.setData(m_models.index(row), enabled ? Qt::Checked : Qt::Unchecked, Qt::CheckStateRole);
}

void Session::assignMaps(ModelId id, UtteranceId utterance) {
    const OpenModel* model = m_models.find(id);
    if (model && m_utterances.find(utterance) && model->mapsOf != utterance)
        m_undo.push(new AssignMaps(this, id, utterance));
}

void Session::putMaps(ModelId id, UtteranceId utterance) {
    if (!m_models.find(id))
        return;
    m_models.update(id, [&](OpenModel& changed) { changed.mapsOf = utterance; });
    tellModified(); // that it is, the undo stack knows
    Q_EMIT mapsAssigned(id);
}

void Session::setReopenedAs(UtteranceId closed, UtteranceId now) {
    m_reopenedAs[closed] = now;
    for (int row = 0; row < m_models.count(); ++row)
        if (m_models.at(row).mapsOf == closed)
            putMaps(m_models.at(row).id, now);
}

UtteranceId Session::reopenedAs(UtteranceId id) const {
    for (auto next = m_reopenedAs.find(id); next != m_reopenedAs.end(); next = m_reopenedAs.find(id))
        id = next->second;
    return id;
}

void Session::renameModel(ModelId id, const QString& name, const QString& design) {
    const OpenModel* model = m_models.find(id);
    if (!model || (model->name == name && model->design == design))
        return;
    m_models.update(id, [&](OpenModel& changed) {
        changed.name = name;
        changed.design = design;
    });
    m_drafts->openModel(*model);
    Q_EMIT modelChanged(id);
}

void Session::setModelReading(ModelId id) {
    if (!m_models.find(id))
        return;
    m_messages.settle(causeOf(id)); // what is wrong now is said again
    m_models.update(id, [](OpenModel& model) {
        model.state = OpenState::Reading;
        model.sentence.clear();
        model.isMissing = false;
    });
    Q_EMIT modelChanged(id);
}

void Session::setModelFailed(ModelId id, const QString& sentence) {
    if (!m_models.find(id))
        return;
    m_models.update(id, [&](OpenModel& model) {
        model.state = OpenState::Failed;
        model.sentence = sentence;
        std::error_code ignored;
        model.isMissing = !std::filesystem::exists(model.folder, ignored);
    });
    if (m_models.find(id)->isMissing)
        m_messages.post(Severity::Error, sentence, tr("Locate…"), [this, id] { Q_EMIT locateModelRequested(id); }, {causeOf(id)});
    else
        m_messages.post(Severity::Error, sentence, tr("Open again"), [this, id] { retryModel(id); }, {causeOf(id)});
    Q_EMIT modelChanged(id);
    settleWanted();
}

namespace {

QString damage(const ModelDescription& info) {
    const auto bad = info.missing.size() + info.wrongShape.size();
    return bad == 0 ? QString()
                    : Session::tr("%1 was opened with %2 of %3 tensors missing or wrongly shaped.")
                          .arg(info.name)
                          .arg(bad)
                          .arg(info.tensors + info.missing.size());
}

} // namespace

void Session::setModelOpened(ModelId id, ModelDescription info) {
    const OpenModel* model = m_models.find(id);
    if (!model)
        return;
    QStringList warnings = model->warnings;
    if (const QString sentence = damage(info); !sentence.isEmpty() && !warnings.contains(sentence)) {
        warnings << sentence;
        m_messages.post(Severity::Warning, sentence, {}, {}, {causeOf(id)});
    }
    m_models.update(id, [&](OpenModel& open) {
        open.state = OpenState::Ready;
        open.sentence.clear();
        open.warnings = warnings;
        // A worker elsewhere has a copy of the model without its run.
        if (const std::string result = nameOfResult(open.folder, info.architecture.name); !result.empty())
            open.name = QString::fromStdString(result).simplified();
        else if (!info.name.isEmpty())
            open.name = info.name.simplified();
        open.design = QString::fromStdString(nameOfResultsDesign(open.folder, info.architecture.name)).simplified();
        open.info = std::move(info);
    });
    const int before = m_currentLayer;
    clampLayer(); // first, as in setCurrentModel()
    m_drafts->openModel(*m_models.find(id));
    Q_EMIT modelChanged(id);
    if (m_currentLayer != before)
        Q_EMIT currentLayerChanged();
    // Imported maps are called as their recording, and so may a model be.
    for (int row = 0; row < m_models.count(); ++row)
        for (int other = 0; other < m_models.count(); ++other)
            if (m_models.at(row).maps && !m_models.at(other).maps && m_models.at(row).name == m_models.at(other).name)
                renameModel(m_models.at(row).id, tr("%1 (maps)").arg(m_models.at(other).name));
    settleWanted();
}

void Session::closeModel(ModelId id) {
    const int row = m_models.rowOf(id);
    if (row < 0)
        return;
    const bool wasCurrent = m_currentModel == id; // a list of models moves on as soon as the row is gone
    const ModelId before = m_previousModel;
    m_models.remove(id);
    m_savedHashes.erase(id);
    m_messages.settle(causeOf(id));
    setModified();
    if (wasCurrent) {
        const int next = std::min(row, m_models.count() - 1);
        setCurrentModel(m_models.find(before) ? before : next < 0 ? ModelId::None : m_models.at(next).id);
    }
    m_drafts->closeModel(id);
    Q_EMIT modelRemoved(id);
}

std::optional<Session::ClosedModel> Session::closedModel(ModelId id) const {
    const OpenModel* model = m_models.find(id);
    if (!model)
        return std::nullopt;
    ClosedModel closed{*model, m_models.rowOf(id), m_drafts->savedDraft(id), m_drafts->written(id), id == m_currentModel};
    closed.model.state = OpenState::Reading;
    closed.model.sentence.clear();
    closed.model.warnings.clear();
    closed.model.info.reset();
    return closed;
}

/// Under the number that it had, so that the undo steps of its draft are its own again.
void Session::reopenModel(const ClosedModel& closed) {
    if (m_models.of(closed.model.folder))
        return;
    OpenModel model = closed.model;
    model.mapsOf = reopenedAs(model.mapsOf);
    insertModel(std::min(closed.row, m_models.count()), std::move(model));
    if (!m_drafts->bringBack({closed.model.id, 0})) { // it was never read
        if (closed.draft)
            m_drafts->keepForModel(closed.model.id, *closed.draft);
        m_drafts->keepWritten(closed.model.folder, closed.written);
    }
    setModified();
    if (closed.wasCurrent || m_currentModel == ModelId::None)
        setCurrentModel(closed.model.id);
}

void Session::retryUtterance(UtteranceId id) {
    const OpenUtterance* utterance = m_utterances.find(id);
    if (!utterance || utterance->file.empty())
        return;
    if (utterance->state == OpenState::Ready && !utterance->sentence.isEmpty()) // what was read before it is still used
        return setFiles(id, std::filesystem::path(utterance->file), std::filesystem::path(utterance->alignmentFile));
    if (utterance->state != OpenState::Failed)
        return;
    m_utterances.update(id, [](OpenUtterance& failed) { failed.state = OpenState::Reading; });
    m_reader->read({id, utterance->file, {}, {}, {}});
    Q_EMIT utteranceChanged(id);
}

void Session::setFiles(UtteranceId id, const std::filesystem::path& file, const std::filesystem::path& alignment) {
    if (!m_utterances.find(id))
        return;
    m_messages.settle(causeOf(id));
    m_utterances.update(id, [&](OpenUtterance& moved) {
        moved.file = file;
        moved.alignmentFile = alignment;
        moved.state = OpenState::Reading;
        moved.isMissing = moved.isRecordingGone = false;
        moved.sentence.clear();
    });
    const OpenUtterance& moved = *m_utterances.find(id);
    m_reader->read({id, file, alignment, moved.sha256, moved.alignmentSha256, moved.name.toStdString(), moved.alignment != nullptr});
    setModified();
    Q_EMIT utteranceChanged(id);
}

void Session::setRecordingGone(UtteranceId id, bool gone) {
    setGone(id, &OpenUtterance::isRecordingGone, gone);
}

void Session::setAlignmentGone(UtteranceId id, bool gone) {
    setGone(id, &OpenUtterance::isAlignmentGone, gone);
}

void Session::setGone(UtteranceId id, bool OpenUtterance::*file, bool gone) {
    const OpenUtterance* utterance = m_utterances.find(id);
    if (!utterance || utterance->*file == gone)
        return;
    m_utterances.update(id, [=](OpenUtterance& open) { open.*file = gone; });
    Q_EMIT utteranceChanged(id);
}

void Session::retryModel(ModelId id) {
    const OpenModel* model = m_models.find(id);
    if (!model || model->state != OpenState::Failed)
        return;
    setModelReading(id);
    m_reader->hashModel(id, model->folder);
    Q_EMIT modelRetried(id);
}

void Session::retryFailed() {
    for (int row = 0; row < m_utterances.count(); ++row)
        retryUtterance(m_utterances.at(row).id);
    for (int row = 0; row < m_models.count(); ++row)
        retryModel(m_models.at(row).id);
}

void Session::setModelFolder(ModelId id, const std::filesystem::path& folder) {
    const OpenModel* model = m_models.find(id);
    if (!model)
        return;
    const bool isElsewhere = folder != model->folder; // else it is opened anew, and the session says the same as before
    m_drafts->moveModel(id, model->folder, folder);
    if (!model->sha256.empty())
        m_savedHashes[id].files = model->sha256; // where it is now may be another one
    m_savedHashes[id].isElsewhere |= isElsewhere;
    m_models.update(id, [&](OpenModel& moved) {
        moved.folder = folder;
        moved.maps = holdsMaps(folder);
        moved.warnings.clear();
    });
    setModelReading(id);
    m_reader->hashModel(id, folder);
    if (isElsewhere)
        setModified();
    Q_EMIT modelMoved(id);
    Q_EMIT modelRetried(id);
}

void Session::moveUtterance(UtteranceId id, int row) {
    m_utterances.move(id, row);
    setModified();
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
