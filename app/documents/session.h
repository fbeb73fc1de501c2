// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/files/session_file.h"
#include "app/documents/items/analysis.h"
#include "app/documents/items/messages.h"
#include "app/documents/model_list.h"
#include "app/documents/utterance_list.h"
#include "core/analysis/windows.h"

#include <QObject>
#include <QUndoStack>

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

namespace headroom::app {

class Drafts;
class UtteranceReader;

/// What the user has open: utterances, models with their drafts, what is looked at, and the one undo stack.
///
/// Views read it, ask it to change, and follow its signals; it knows no widget and no worker. Files are read
/// in the background: a row appears at once as Reading, becomes Ready or Failed, and says so by
/// utteranceChanged(). Everything here is used on the window's thread; the reading runs on a thread pool of
/// its own (UtteranceReader).
class Session : public QObject {
    Q_OBJECT

public:
    explicit Session(QObject* parent = nullptr);
    ~Session() override; ///< drops what waits to be read and waits for the files that are being read

    // What is open. The lists are the item models that views show.
    UtteranceList* utterances() { return &m_utterances; }
    const UtteranceList* utterances() const { return &m_utterances; }
    ModelList* models() { return &m_models; }
    const ModelList* models() const { return &m_models; }
    /// Every architecture that can be edited: one draft per open model, and documents.
    Drafts* drafts() const { return m_drafts.get(); }
    Messages* messages() { return &m_messages; }
    QUndoStack* undoStack() { return &m_undo; }
    bool isEmpty() const { return m_utterances.count() == 0 && m_models.count() == 0; }
    /// Something is being read: a picture of the window would not be final.
    bool isReading() const;

    // Opening and closing.
    /// Opens dropped or named paths, each as what it is (dropped_file.h). Whatever is none of them is said in
    /// Messages. A session folder among them is not opened here but announced by sessionDropped(). The first
    /// utterance and the first model that come in become current. A file that is open already becomes current
    /// and is not opened twice.
    void open(const std::vector<std::filesystem::path>& paths);
    UtteranceId openUtterance(const std::filesystem::path& file);
    /// The same with its name, its texts and its alignment, also for a recording that is open; one that has an alignment keeps it.
    UtteranceId openUtterance(const CorpusUtterance& utterance);
    /// The alignment of a corpus for a recording that has none. Nothing for an empty path.
    void offerAlignment(UtteranceId id, const std::filesystem::path& file);
    ModelId openModel(const std::filesystem::path& folder);
    /// The alignment of an utterance that is open (by stem, or `id` where it is given); a sentence in
    /// Messages otherwise. Without `id` the user chose it: for a recording that has been read it is a step of the undo stack.
    void openAlignment(const std::filesystem::path& file, UtteranceId id = UtteranceId::None);
    /// The alignment of an utterance as it is, and putting it back, for a step that is undone. Without a file: there was none. One that
    /// is still being read does not come any more then.
    struct KeptAlignment {
        std::shared_ptr<const Alignment> alignment;
        std::filesystem::path file;
        std::string sha256;
        QStringList warnings; ///< said when it was read, or why it could not be
    };
    KeptAlignment keptAlignment(UtteranceId id) const;
    void putAlignment(UtteranceId id, KeptAlignment kept);
    /// Takes the alignment off, as a step of the undo stack; one that lies beside the recording takes its place. The file stays.
    /// The one that opening the recording finds is not taken off, which is said in Messages.
    void removeAlignment(UtteranceId id);
    /// What was just recorded; becomes current. `file`: one that has it already.
    UtteranceId addRecording(Recording recording, const QString& name = {}, const SessionDocument::FileEntry& file = {});
    /// A text to analyse, which becomes current; `name` empty: "text 3".
    UtteranceId addText(const QString& text = {}, const QString& target = {}, const QString& name = {});
    /// Every line of a text file that is not empty, as a text. A sentence in Messages if it cannot be read.
    std::vector<UtteranceId> openTexts(const std::filesystem::path& file);
    /// Changes source and translation of a text; other utterances stay as they are.
    void setText(UtteranceId id, const QString& text, const QString& target);
    void closeUtterance(UtteranceId id);
    void moveUtterance(UtteranceId id, int row); ///< to that row, or the last
    void closeModel(ModelId id); ///< of the current one: back to the model that was current before it
    /// A model as it was before it was closed: what reopenModel() needs to bring it back.
    struct ClosedModel {
        OpenModel model;
        int row = 0;
        std::optional<Architecture> draft; ///< nothing: none, or as the model
        nlohmann::json written;            ///< what else stands in the draft, mistakes included
        bool wasCurrent = false;
    };
    /// Nothing for a model that is not open.
    std::optional<ClosedModel> closedModel(ModelId id) const;
    /// Opens it again in its place, with its colour, tick and draft. A folder that was opened in the meantime stays as it is.
    void reopenModel(const ClosedModel& closed);
    /// Reads an utterance again whose file could not be read / lets a Failed model be opened again.
    void retryUtterance(UtteranceId id);
    /// Reads a recording and its alignment from elsewhere, where they are expected to be the same, or anew where they were, because the
    /// content is another one. What was read before is used until then, and stays if a file cannot be read. The part that was chosen of
    /// other samples is forgotten.
    void setFiles(UtteranceId id, const std::filesystem::path& file, const std::filesystem::path& alignment);
    /// An utterance as it is, and putting it back as it was before setFiles(), for a step that is undone, with what was said of it. One that
    /// had not been read, or was being read, is read again.
    struct KeptFiles {
        OpenUtterance utterance;
        QStringList ofAlignment; ///< those of its warnings that are of the alignment
    };
    KeptFiles keptFiles(UtteranceId id) const;
    void putFiles(const KeptFiles& kept);
    void retryModel(ModelId id);
    /// Reads again all that could not be read: a file that was missing may be back.
    void retryFailed();
    /// Opens a model from elsewhere, where it is expected to be the same, or anew from its own folder, whose files have changed: its
    /// draft and its steps stay its own. A message names the files that are not those that were open.
    void setModelFolder(ModelId id, const std::filesystem::path& folder);
    /// Asks for OpenUtterance::linear; utteranceChanged() when it is there. Nothing where it is, or is on its
    /// way.
    void requireLinearSpectrogram(UtteranceId id);
    void setPart(UtteranceId id, std::optional<Part> part);
    void setModelEnabled(ModelId id, bool enabled);
    /// Assigns imported maps of one recording to an utterance of another name, as a step of the undo stack / without one; None: to none.
    void assignMaps(ModelId id, UtteranceId utterance);
    void putMaps(ModelId id, UtteranceId utterance);
    /// A recording that was closed is open again under another number: the maps that were assigned to it are assigned to that, also those
    /// that are closed now.
    void setReopenedAs(UtteranceId closed, UtteranceId now);
    /// The number that an utterance has now if it was opened again; else `id`.
    UtteranceId reopenedAs(UtteranceId id) const;
    /// Calls a model as the run that it is the result of, its draft too; `design`: OpenModel::design.
    void renameModel(ModelId id, const QString& name, const QString& design = {});

    // What is looked at. Null and None where nothing is.
    UtteranceId currentUtteranceId() const { return m_currentUtterance; }
    const OpenUtterance* currentUtterance() const { return m_utterances.find(m_currentUtterance); }
    ModelId currentModelId() const { return m_currentModel; }
    const OpenModel* currentModel() const { return m_models.find(m_currentModel); }
    int currentLayer() const { return m_currentLayer; } ///< from 1, within the current model's layers when it is Ready
    MapSource mapSource() const { return m_source; }
    void setCurrentUtterance(UtteranceId id);
    void setCurrentModel(ModelId id);
    void setCurrentLayer(int layer);
    void setMapSource(MapSource source);
    /// "Full above CL": layers whose suggested window would lose more than this stay full. 0 … 1. Design keeps
    /// it in the view.
    double fullAbove() const { return m_fullAbove; }
    void setFullAbove(double loss);

    /// What the validator found; called by AlignmentStore.
    void setAlignmentReport(UtteranceId id, std::shared_ptr<const AlignmentReport> report);
    // Whether a file was moved or deleted since it was read; called by those who watch it.
    void setRecordingGone(UtteranceId id, bool gone);
    void setAlignmentGone(UtteranceId id, bool gone);

    // What the worker found out; called by AnalysisService.
    void setModelOpened(ModelId id, ModelDescription info);
    void setModelFailed(ModelId id, const QString& sentence);
    void setModelReading(ModelId id);

    // The session as a folder.
    QString name() const;                                     ///< "interview", "Demo session", "Untitled"
    std::filesystem::path folder() const { return m_folder; } ///< empty: never saved
    bool isModified() const { return m_modified || !m_undo.isClean(); }
    /// Something of the view was changed that saving must not forget.
    void setModified();
    /// Whatever the window wants to find again: visible span, colour map, gamma … An object; unknown to the
    /// session. Setting it does not make the session modified. `viewStateRestored()` when one was read.
    nlohmann::json viewState() const { return m_view; }
    void setViewState(nlohmann::json view) { m_view = std::move(view); }
    /// Throws Error "session.unwritable". save() needs a folder(); saveAs() appends ".headroom" where it is
    /// missing.
    void save();
    void saveAs(const std::filesystem::path& folder);
    /// Closes what is open and opens a session. Throws Error (readSession) and leaves what is open untouched
    /// then. Files that are missing or changed are said in their rows and in Messages; the rest opens.
    void openSession(const std::filesystem::path& folder);
    /// The same as a copy that has no folder yet (the demo, an autosaved one). `view`: as in readSession().
    void openCopy(const std::filesystem::path& folder, const QString& name, const std::filesystem::path& view = {});
    /// Closes everything.
    void clear();
    SessionDocument document() const;
    /// Writes a copy of a session that was never saved, without touching name, folder or modified state; its
    /// unsaved recordings are in the copy's recordings/. Throws as saveAs().
    void writeCopy(const std::filesystem::path& folder);
    /// Keeps what is not saved yet in a file beside session.json (writeRecovery), without touching the modified state.
    void writeRecovery(const std::filesystem::path& file, const std::string& ofSession);
    /// Closes what is open and opens the session of that folder with these changes, modified. Throws as openSession().
    void openRecovery(const std::filesystem::path& file);

Q_SIGNALS:
    void utteranceAdded(headroom::app::UtteranceId id);
    void utteranceChanged(headroom::app::UtteranceId id); ///< state, samples, text, alignment, spectrogram or part
    void utteranceRemoved(headroom::app::UtteranceId id);
    void modelAdded(headroom::app::ModelId id);
    void modelChanged(headroom::app::ModelId id); ///< state, info, sentence, enabled, name; not the draft
    void modelRemoved(headroom::app::ModelId id);
    void modelRetried(headroom::app::ModelId id);
    void modelMoved(headroom::app::ModelId id); ///< is opened from another folder, or anew; modelRetried() follows
    void mapsAssigned(headroom::app::ModelId id);     ///< to another utterance, or to none
    void modelOpenedAgain(headroom::app::ModelId id); ///< openModel() was asked for one that is open
    /// A message offers to look for files that are missing: where they are now is to be asked for.
    void locateRequested(headroom::app::UtteranceId id);
    void locateModelRequested(headroom::app::ModelId id);
    void currentUtteranceChanged();
    void currentModelChanged();
    void currentLayerChanged();
    void mapSourceChanged();
    void fullAboveChanged(double loss);
    void sessionDropped(const std::filesystem::path& folder);
    void viewStateRestored();
    void nameChanged();
    void modifiedChanged(bool modified);
    void changed();        ///< anything that is saved, drafts too: what Autosave waits for
    void readingChanged(); ///< isReading()

private:
    void connectReader();
    void restore(const SessionDocument& document, const std::filesystem::path& folder, const QString& name);
    void takePlaces(const PlacedByRow& placed);
    /// `step`: of the undo stack (m_lastStep); 0: none.
    void readAlignment(const std::filesystem::path& file, UtteranceId id, int step);
    void readWantedAlignment(UtteranceId id);
    void keepRecording(UtteranceId id, const QString& mistake);
    void sayAgain(UtteranceId id);
    UtteranceId addUtterance(OpenUtterance utterance);
    ModelId addModel(OpenModel model, std::optional<int> colour = {});
    void insertModel(int row, OpenModel model);
    int freeColour(int rows) const;
    void setGone(UtteranceId id, bool OpenUtterance::*file, bool gone);
    void settleWanted();
    void clampLayer();
    MapSource sourceHere() const;
    QString nameApart(const std::filesystem::path& file);
    QString freeName(const QString& pattern, int& last) const;
    void tellModified();

    UtteranceList m_utterances;
    ModelList m_models;
    Messages m_messages;
    QUndoStack m_undo;
    std::unique_ptr<Drafts> m_drafts; ///< after the stack and the messages, which it borrows
    std::unique_ptr<UtteranceReader> m_reader;
    std::vector<UtteranceId> m_wantedUtterances; ///< just dropped: the first that can be read becomes current
    std::vector<ModelId> m_wantedModels;         ///< the same
    struct SavedHashes {
        std::map<std::string, std::string> files; ///< SHA-256 by file
        bool isElsewhere = false;                 ///< of another folder than the model's now
    };
    /// As the session had them, until modelHashed() compares them with the model's files.
    std::map<ModelId, SavedHashes> m_savedHashes;
    UtteranceId m_currentUtterance = UtteranceId::None;
    ModelId m_currentModel = ModelId::None, m_previousModel = ModelId::None;
    int m_currentLayer = 1;
    MapSource m_source;
    double m_fullAbove = kFullAboveLoss;
    nlohmann::json m_view = nlohmann::json::object();
    std::filesystem::path m_folder;
    QString m_name;
    bool m_modified = false;     ///< beside what the undo stack knows
    bool m_toldModified = false; ///< last said by modifiedChanged()
    std::map<UtteranceId, const Recording*> m_linearAsked; ///< of which samples, until it is computed
    std::map<UtteranceId, std::filesystem::path> m_wantedAlignments; ///< dropped while the recording is being read
    std::map<UtteranceId, UtteranceId> m_reopenedAs; ///< by the number before
    std::map<UtteranceId, QStringList> m_ofAlignment; ///< warnings of an utterance that another alignment ends
    int m_lastId = 0;
    int m_lastStep = 0; ///< alignments that the user chose so far
    int m_recordings = 0, m_texts = 0;
};

} // namespace headroom::app
