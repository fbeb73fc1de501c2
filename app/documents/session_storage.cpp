// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/drafts/drafts.h"
#include "app/documents/files/utterance_reader.h"
#include "app/documents/items/paths.h"
#include "app/documents/session.h"

namespace headroom::app {

namespace fs = std::filesystem;

QString Session::name() const {
    if (!m_folder.empty())
        return toQString(m_folder.stem());
    return m_name.isEmpty() ? tr("Untitled") : m_name;
}

SessionDocument Session::document() const {
    SessionDocument document;
    for (int row = 0; row < m_utterances.count(); ++row) {
        const OpenUtterance& utterance = m_utterances.at(row);
        SessionDocument::UtteranceEntry entry;
        entry.name = utterance.name;
        if (utterance.isText) {
            entry.text = utterance.text;
            entry.target = utterance.target;
            document.utterances.push_back(std::move(entry));
            continue;
        }
        entry.texts = utterance.texts;
        entry.audio = {utterance.file, utterance.sha256};
        if (!utterance.alignmentFile.empty())
            entry.alignment = SessionDocument::FileEntry{utterance.alignmentFile, utterance.alignmentSha256};
        entry.recorded = utterance.isRecorded;
        entry.part = utterance.part;
        std::error_code ignored;
        if (utterance.isRecorded && utterance.recording && !fs::exists(utterance.file, ignored))
            entry.unsaved = utterance.recording;
        document.utterances.push_back(std::move(entry));
    }
    for (int row = 0; row < m_models.count(); ++row) {
        const OpenModel& model = m_models.at(row);
        document.models.push_back({model.name, model.folder, model.sha256, model.enabled, {}, m_drafts->savedDraft(model.id)});
        if (model.colour != freeColour(row)) // else it gets it again by itself
            document.models.back().colour = model.colour;
        if (const int of = m_utterances.rowOf(model.mapsOf); of >= 0)
            document.models.back().mapsOf = of;
    }
    document.currentUtterance = m_utterances.rowOf(m_currentUtterance);
    document.currentModel = m_models.rowOf(m_currentModel);
    document.currentLayer = m_currentLayer;
    document.source = m_source;
    document.view = m_view;
    return document;
}

void Session::writeCopy(const fs::path& folder) {
    takePlaces(writeSession(folder, document()));
}

/// Recordings that have been written, and copies: they are in files of this session now.
void Session::takePlaces(const PlacedByRow& placed) {
    for (const auto& [row, files] : placed)
        m_utterances.update(m_utterances.at(static_cast<int>(row)).id, [&, &now = files](OpenUtterance& utterance) {
            if (!now.audio.empty()) {
                utterance.file = normalised(now.audio);
                utterance.sha256 = hashOfFile(now.audio);
                utterance.stamp = FileStamp::of(now.audio);
            }
            if (!now.alignment.empty())
                utterance.alignmentFile = normalised(now.alignment);
        });
}

void Session::writeRecovery(const fs::path& file, const std::string& ofSession) {
    takePlaces(app::writeRecovery(file, {document(), ofSession}));
}

void Session::save() {
    if (m_folder.empty())
        throw Error("session.unwritable", "This session has no name yet: save it under one.");
    writeCopy(m_folder);
    m_modified = false;
    m_undo.setClean();
    tellModified();
}

void Session::saveAs(const fs::path& given) {
    fs::path folder = normalised(given);
    if (folder.extension() != kSessionSuffix)
        folder += kSessionSuffix;
    writeCopy(folder);
    m_folder = folder;
    m_name.clear();
    save();
    Q_EMIT nameChanged();
}

void Session::openSession(const fs::path& given) {
    const fs::path folder = normalised(given);
    restore(readSession(folder), folder, {});
}

void Session::openCopy(const fs::path& folder, const QString& name, const fs::path& view) {
    restore(readSession(folder, view), {}, name);
}

void Session::openRecovery(const fs::path& file) {
    restore(readRecovery(file).document, normalised(file).parent_path(), {});
    setModified();
}

void Session::clear() {
    restore({}, {}, {});
}

void Session::restore(const SessionDocument& document, const fs::path& folder, const QString& name) {
    m_undo.clear();
    m_wantedUtterances.clear();
    m_wantedModels.clear();
    m_reopenedAs.clear();
    setCurrentModel(ModelId::None); // or others become current one by one as they are closed
    m_previousModel = ModelId::None;
    while (m_utterances.count() > 0)
        closeUtterance(m_utterances.at(m_utterances.count() - 1).id);
    while (m_models.count() > 0)
        closeModel(m_models.at(m_models.count() - 1).id);
    m_drafts->forgetClosed();
    m_folder = folder;
    m_name = name;
    m_view = document.view;
    m_currentLayer = document.currentLayer;
    m_source = document.source;
    std::vector<UtteranceId> utterances;
    for (const auto& entry : document.utterances) {
        OpenUtterance utterance;
        utterance.name = entry.name;
        utterance.isText = entry.text.has_value();
        utterance.text = entry.text.value_or(QString());
        utterance.target = entry.target;
        if (utterance.isText)
            utterance.state = OpenState::Ready;
        utterance.texts = entry.texts;
        utterance.file = entry.audio.path;
        utterance.isRecorded = entry.recorded;
        utterance.part = entry.part;
        utterance.sha256 = entry.audio.sha256;
        if (entry.alignment) {
            utterance.alignmentFile = entry.alignment->path;
            utterance.alignmentSha256 = entry.alignment->sha256;
        }
        utterances.push_back(addUtterance(std::move(utterance)));
    }
    std::vector<ModelId> models;
    for (const auto& entry : document.models) {
        OpenModel model;
        model.name = entry.name;
        model.folder = entry.folder;
        model.enabled = entry.enabled;
        model.sha256 = entry.sha256;
        if (entry.mapsOf)
            model.mapsOf = utterances[static_cast<std::size_t>(*entry.mapsOf)];
        std::error_code ignored;
        const bool there = fs::exists(entry.folder, ignored); // imported maps are a file
        const ModelId id = [&] { // the draft must wait there before anybody hears of the model
            const ModelId next = ModelId(m_lastId + 1);
            if (entry.draft)
                m_drafts->keepForModel(next, *entry.draft);
            else if (!entry.unreadDraft.empty())
                m_drafts->keepUnread({{"architecture", entry.unreadDraft}}, QString::fromStdString(entry.whyUnread));
            m_savedHashes[next].files = entry.sha256;
            model.state = there ? OpenState::Reading : OpenState::Failed;
            return addModel(std::move(model), entry.colour);
        }();
        if (!there)
            setModelFailed(id, tr("The model %1 has been moved or deleted: %2 does not exist.")
                                   .arg(entry.name, toQString(entry.folder)));
        models.push_back(id);
    }
    // The current one is read first: it is what the user waits for.
    const auto read = [&](std::size_t row) {
        const auto& entry = document.utterances[row];
        if (entry.text)
            return;
        m_reader->read({utterances[row], entry.audio.path,
                        entry.alignment ? entry.alignment->path : fs::path(), entry.audio.sha256,
                        entry.alignment ? entry.alignment->sha256 : std::string(), entry.name.toStdString()});
    };
    const int current = document.currentUtterance;
    if (current >= 0)
        read(static_cast<std::size_t>(current));
    for (std::size_t row = 0; row < utterances.size(); ++row)
        if (static_cast<int>(row) != current)
            read(row);
    setCurrentUtterance(current < 0 ? UtteranceId::None : utterances[static_cast<std::size_t>(current)]);
    setCurrentModel(document.currentModel < 0 ? ModelId::None
                                              : models[static_cast<std::size_t>(document.currentModel)]);
    m_modified = false;
    m_undo.setClean();
    tellModified();
    Q_EMIT currentLayerChanged();
    Q_EMIT mapSourceChanged();
    Q_EMIT nameChanged();
    Q_EMIT viewStateRestored();
}

} // namespace headroom::app
