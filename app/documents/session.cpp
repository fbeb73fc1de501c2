// SPDX-License-Identifier: GPL-3.0-or-later
// Opening and closing. What is read from the files: session_reading.cpp. What is looked at and edited: session_state.cpp.
// The folder: session_storage.cpp.
#include "app/documents/session.h"

#include "app/documents/drafts/drafts.h"
#include "app/documents/drafts/set_heads.h"
#include "app/documents/files/dropped_file.h"
#include "app/documents/files/utterance_reader.h"
#include "app/documents/items/paths.h"
#include "app/documents/removals.h"
#include "core/alignment/readers.h"
#include "core/errors/display_name.h"
#include "core/model_folders/hub_cache.h"

#include <algorithm>
#include <utility>

namespace headroom::app {

namespace fs = std::filesystem;

Session::Session(QObject* parent)
    : QObject(parent)
    , m_drafts(std::make_unique<Drafts>(&m_undo, &m_messages))
    , m_reader(std::make_unique<UtteranceReader>()) {
    qRegisterMetaType<UtteranceId>();
    qRegisterMetaType<ModelId>();
    connectReader();
    connect(&m_undo, &QUndoStack::cleanChanged, this, &Session::tellModified);
    connect(&m_undo, &QUndoStack::indexChanged, this, [this] {
        // Between what was saved and now there may be only steps that the session does not save.
        const auto [first, last] = std::minmax({m_undo.cleanIndex(), m_undo.index()});
        bool isSame = first >= 0;
        for (int step = first; isSame && step < last; ++step)
            isSame = !changesSession(*m_undo.command(step));
        if (isSame)
            m_undo.setClean();
        SetHeads::dropStale(&m_undo);
    });
    connect(m_drafts.get(), &Drafts::modelChosen, this, &Session::setCurrentModel);
    connect(m_drafts.get(), &Drafts::documentsEdited, this, &Session::setModified);
    // Later: the one of the same name is being opened or closed now, and its own signals come first.
    connect(&m_utterances, &UtteranceList::shownNameChanged, this, [this](UtteranceId id) {
        if (m_utterances.find(id))
            Q_EMIT utteranceChanged(id);
    }, Qt::QueuedConnection);
    connect(&m_models, &ModelList::shownNameChanged, this, [this](ModelId id) {
        if (m_models.find(id))
            Q_EMIT modelChanged(id);
    }, Qt::QueuedConnection);
    connect(&m_models, &ModelList::enabledToggled, this, [this](ModelId id) {
        setModified();
        Q_EMIT modelChanged(id);
    });
}

Session::~Session() {
    m_undo.disconnect(this); // its own destructor clears it and would tell a session that is half gone
}

void Session::open(const std::vector<fs::path>& paths) {
    m_wantedUtterances.clear();
    m_wantedModels.clear();
    std::vector<fs::path> alignments;
    const int before = m_utterances.count();
    for (const fs::path& path : paths)
        for (const DroppedFile& file : classify(path)) {
            switch (file.kind) {
            case DroppedFile::Kind::Audio:
                m_wantedUtterances.push_back(openUtterance(file.path));
                break;
            case DroppedFile::Kind::Text:
                for (const UtteranceId id : openTexts(file.path))
                    m_wantedUtterances.push_back(id);
                break;
            case DroppedFile::Kind::Model:
                m_wantedModels.push_back(openModel(file.path));
                break;
            case DroppedFile::Kind::Alignment:
                alignments.push_back(file.path);
                break;
            case DroppedFile::Kind::Session:
                Q_EMIT sessionDropped(file.path);
                break;
            case DroppedFile::Kind::Unknown:
                m_messages.post(Severity::Error, file.sentence);
                break;
            }
        }
    for (const fs::path& file : alignments) // last: they may belong to a recording of the same drop
        openAlignment(file);
    if (m_wantedUtterances.size() == 1 && m_utterances.count() == before)
        setCurrentUtterance(m_wantedUtterances.front()); // listed already: no new row says so if it cannot be read again
    settleWanted();
}

UtteranceId Session::addUtterance(OpenUtterance utterance) {
    utterance.id = UtteranceId(++m_lastId);
    const UtteranceId id = utterance.id;
    m_utterances.append(std::move(utterance));
    Q_EMIT utteranceAdded(id);
    return id;
}

/// The first colour that none of the first `rows` models has.
int Session::freeColour(int rows) const {
    for (int colour = 0; colour < kModelStyles; ++colour) {
        bool taken = false;
        for (int row = 0; row < rows; ++row)
            taken = taken || m_models.at(row).colour == colour;
        if (!taken)
            return colour;
    }
    return rows % kModelStyles;
}

ModelId Session::addModel(OpenModel model, std::optional<int> colour) {
    model.id = ModelId(++m_lastId);
    model.maps = holdsMaps(model.folder);
    model.colour = colour.value_or(freeColour(m_models.count()));
    const ModelId id = model.id;
    insertModel(m_models.count(), std::move(model));
    return id;
}

void Session::insertModel(int row, OpenModel model) {
    const ModelId id = model.id;
    const auto folder = model.folder;
    m_models.insert(row, std::move(model));
    m_reader->hashModel(id, folder);
    Q_EMIT modelAdded(id);
}

UtteranceId Session::openUtterance(const fs::path& given) {
    const fs::path file = normalised(given);
    for (int row = 0; row < m_utterances.count(); ++row)
        if (const OpenUtterance& open = m_utterances.at(row); !open.file.empty() && open.file == file) {
            const UtteranceId id = open.id;
            retryUtterance(id); // only one whose file could not be read
            return id;
        }
    OpenUtterance utterance;
    utterance.name = nameApart(file);
    utterance.file = file;
    const UtteranceId id = addUtterance(std::move(utterance));
    m_reader->read({id, file, {}, {}, {}});
    setModified();
    if (m_currentUtterance == UtteranceId::None)
        setCurrentUtterance(id);
    return id;
}

/// "jfk", or "jfk.mp3" beside "jfk.wav", which then has its extension too.
QString Session::nameApart(const fs::path& file) {
    const QString stem = toQString(file.stem());
    bool isAlone = true;
    std::vector<UtteranceId> alike;
    for (int row = 0; row < m_utterances.count(); ++row)
        if (const OpenUtterance& open = m_utterances.at(row); open.file.stem() == file.stem() && open.file.extension() != file.extension()) {
            isAlone = false;
            if (open.name == stem)
                alike.push_back(open.id);
        }
    for (const UtteranceId id : alike) {
        m_utterances.update(id, [](OpenUtterance& open) { open.name = toQString(open.file.filename()); });
        Q_EMIT utteranceChanged(id);
    }
    return isAlone ? stem : toQString(file.filename());
}

/// "text 3": the next number that no open utterance has, since a session may have been opened with some.
QString Session::freeName(const QString& pattern, int& last) const {
    QString name;
    const auto isTaken = [&] {
        for (int row = 0; row < m_utterances.count(); ++row)
            if (m_utterances.at(row).name == name)
                return true;
        return false;
    };
    do
        name = pattern.arg(++last);
    while (isTaken());
    return name;
}

ModelId Session::openModel(const fs::path& given) {
    const fs::path folder = modelFolderIn(normalised(given));
    if (const OpenModel* open = m_models.of(folder)) {
        const ModelId id = open->id;
        if (open->state == OpenState::Failed)
            retryModel(id);
        else
            Q_EMIT modelOpenedAgain(id);
        return id;
    }
    OpenModel model;
    model.folder = folder;
    const bool isOfRun = folder.filename() == "model" && folder.has_parent_path(); // until it is read, "model" would say nothing
    model.name = QString::fromStdString(folderName(isOfRun ? folder.parent_path() : folder)); // of a snapshot not its hash
    const ModelId id = addModel(std::move(model));
    setModified();
    if (m_currentModel == ModelId::None)
        setCurrentModel(id);
    return id;
}

void Session::openAlignment(const fs::path& given, UtteranceId id) {
    const fs::path file = normalised(given);
    const bool isOfOne = isOfOneRecording(file);
    const int step = id == UtteranceId::None ? ++m_lastStep : 0;
    std::vector<UtteranceId> listed; // a list is for every recording that it names
    for (int row = 0; row < m_utterances.count() && id == UtteranceId::None; ++row)
        if (const OpenUtterance& open = m_utterances.at(row); !open.isText) {
            const NamesInLists names(open.name.toStdString(), open.file);
            if (std::ranges::find(names.names, file.stem().string()) != names.names.end())
                id = open.id;
            else if (!isOfOne && open.state != OpenState::Failed && isListed(file, names))
                listed.push_back(open.id);
        }
    const OpenUtterance* utterance = m_utterances.find(id);
    if (!utterance && !listed.empty()) {
        for (const UtteranceId one : listed)
            readAlignment(file, one, step);
        return;
    }
    if (const auto reason = utterance ? std::nullopt : whyNoAlignment(file)) {
        m_messages.post(Severity::Error, QString::fromStdString(*reason));
        return;
    }
    if (!utterance) {
        const OpenUtterance* current = currentUtterance();
        const QString name = toQString(file.filename()), stem = toQString(file.stem());
        if (!isOfOne || !current || current->isText || current->state == OpenState::Failed) {
            m_messages.post(Severity::Error,
                            tr("No open recording matches %1: none is called %2. Open the recording first.").arg(name, stem));
            return;
        }
        // Only the user knows whose it is.
        const QString cause = QStringLiteral("alignment without a recording, ") + toQString(file);
        m_messages.settle(cause);
        m_messages.post(Severity::Warning, tr("No open recording matches %1: none is called %2.").arg(name, stem),
                        tr("Use it for %1").arg(current->shownName()), [this, file, cause, id = current->id] {
                            m_messages.settle(cause);
                            readAlignment(file, id, ++m_lastStep);
                        }, {cause, causeOf(current->id)});
        return;
    }
    readAlignment(file, id, step);
}

/// A recording that is still being read is opened with it, which is no step.
void Session::readAlignment(const fs::path& file, UtteranceId id, int step) {
    const OpenUtterance* utterance = m_utterances.find(id);
    if (!utterance)
        return;
    if (utterance->state == OpenState::Ready)
        return m_reader->readAlignment(*utterance, file, step);
    m_wantedAlignments[id] = file;
    retryUtterance(id); // only one that failed
}

/// What lies beside a recording that is still being read is not known yet: the alignment of the corpus then takes its place.
void Session::offerAlignment(UtteranceId id, const fs::path& file) {
    const OpenUtterance* utterance = m_utterances.find(id);
    if (utterance && !utterance->isText && !utterance->alignment && utterance->alignmentFile.empty() && !file.empty())
        openAlignment(file, id);
}

UtteranceId Session::addRecording(Recording recording, const QString& name, const SessionDocument::FileEntry& file) {
    OpenUtterance utterance;
    utterance.name = name.isEmpty() ? freeName(tr("recording %1"), m_recordings) : name;
    utterance.isRecorded = true;
    utterance.file = file.path;
    utterance.sha256 = file.sha256;
    utterance.state = OpenState::Ready;
    for (const Warning& warning : recording.warnings)
        utterance.warnings << QString::fromStdString(warning.sentence);
    const auto shared = std::make_shared<const Recording>(std::move(recording));
    utterance.recording = shared;
    const UtteranceId id = addUtterance(std::move(utterance));
    m_reader->computeLogMel(id, shared);
    setModified();
    setCurrentUtterance(id);
    return id;
}

void Session::closeUtterance(UtteranceId id) {
    const int row = m_utterances.rowOf(id);
    if (row < 0)
        return;
    m_utterances.remove(id);
    m_linearAsked.erase(id);
    m_ofAlignment.erase(id);
    m_wantedAlignments.erase(id);
    m_messages.settle(causeOf(id));
    setModified();
    if (m_currentUtterance == id) {
        const int next = std::min(row, m_utterances.count() - 1);
        setCurrentUtterance(next < 0 ? UtteranceId::None : m_utterances.at(next).id);
    }
    Q_EMIT utteranceRemoved(id);
}

} // namespace headroom::app
