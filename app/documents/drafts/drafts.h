// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/items/open_model.h"
#include "core/architecture/head_grid.h"

#include <nlohmann/json.hpp>
#include <QObject>

#include <compare>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <vector>

class QUndoStack;

namespace headroom::app {

class Messages;

/// Whether an edit begins an undo step of its own, or continues the one before (a key held down, a spin box
/// turned).
enum class EditStep { New, Continue };

/// Names an architecture: the draft of an open model, or a document of its own.
struct DraftKey {
    ModelId model = ModelId::None;
    int document = 0; ///< from 1; 0: a model's
    bool isNone() const { return model == ModelId::None && document == 0; }
    auto operator<=>(const DraftKey&) const = default;
};

/// One text for heads [first, last] of a layer, all from 1, or of kCrossAttention (HeadGrid::write).
struct HeadsText {
    int layer = 1, first = 1, last = 1;
    QString text;
};

/// The window of one layer (from 1): odd ≥ 1; nullopt: full.
struct LayerWindow {
    int layer = 1;
    std::optional<int> window;
};

/// Owns every architecture that can be edited: one draft per open model, and documents that were opened or
/// started from a preset. Holds what is written, mistakes included, and what of it is valid. The grid in
/// Design and the band in Analyse edit the same draft. Every edit is one command (SetHeads) on the session's
/// undo stack and one draftChanged(). Owned by Session. Not thread-safe; used on the window's thread.
class Drafts : public QObject {
    Q_OBJECT

public:
    /// Borrows both; they must outlive it.
    Drafts(QUndoStack* undo, Messages* messages, QObject* parent = nullptr);

    /// What Design lists: the drafts of models in the order they were opened, then documents. Maps of other
    /// toolkits are left out: they have windows, but no design.
    std::vector<DraftKey> keys() const;
    bool has(DraftKey key) const { return m_drafts.count(key) > 0; }
    QString name(DraftKey key) const; ///< of a model: as the model
    /// With the end of its folder, or its file, where several have one name.
    QString shownName(DraftKey key) const;
    /// What an architecture is called that is drawn from it: as it, but without the seed of a run's model, and the words that tell the run from others.
    QString designName(DraftKey key) const;
    /// "demo, layer 6: 29 → 19": its designName() and what tells it from base(). Runs and measurements of it are called so.
    QString nameWithChanges(DraftKey key) const;
    /// "edited, from Locality En-De"
    QString origin(DraftKey key) const;
    bool isEdited(DraftKey key) const; ///< its heads or positions are not those it began with
    const HeadGrid& grid(DraftKey key) const { return m_drafts.at(key).grid; }
    /// The valid architecture: base with the chosen positions and the last valid layers.
    Architecture architecture(DraftKey key) const;
    /// What its edits are told from: the model's own, or the preset, or the file as last saved.
    const Architecture& base(DraftKey key) const { return m_drafts.at(key).base; }
    /// What it began with and is compared with: saving does not change it.
    const Architecture& original(DraftKey key) const;
    std::filesystem::path file(DraftKey key) const { return m_drafts.at(key).file; } ///< empty: never saved
    bool isSaved(DraftKey key) const; ///< its file is there and has these layers
    bool isFileGone(DraftKey key) const; ///< it was deleted, moved or renamed
    /// Whether its file has another content than when it was read or saved last. Reads it.
    bool isFileChanged(DraftKey key) const;

    /// The last valid heads of a layer (from 1); empty if there is no such draft or layer.
    std::vector<HeadGroup> heads(DraftKey key, int layer) const;
    /// The window of its centred-local heads; nullopt if it has none.
    std::optional<int> window(DraftKey key, int layer) const;
    /// Of the decoder; empty if there is none.
    std::vector<HeadGroup> crossAttention(DraftKey key) const;

    /// None if there is nothing to edit. Follows the session's current model until a document is chosen.
    DraftKey current() const { return m_current; }
    void setCurrent(DraftKey key);

    // Edits. Each is one undo step and returns true; an edit that changes nothing leaves no step and returns
    // false, and so does one of a draft or layer that does not exist. `text` names the step; empty: the edit
    // describes itself.
    bool write(DraftKey key, const std::vector<HeadsText>& texts, EditStep step = EditStep::New,
               const QString& text = {});
    /// Positions of the encoder. False as well where it cannot have them (whyNotPositions).
    bool setPositions(DraftKey key, Positions positions);
    /// The heads and positions of base(), in all layers.
    bool revert(DraftKey key);
    /// Full and local heads get the window, other kinds stay (core/architecture/edits.h). What was written in
    /// the layer, mistakes included, comes back on undo. Throws Error "architecture.evenWindow" before
    /// anything changes.
    bool setWindow(DraftKey key, LayerWindow window, EditStep step = EditStep::New);
    bool setWindows(DraftKey key, const std::vector<LayerWindow>& windows, const QString& text);
    /// Without undo: for SetHeads only. Layers that no longer fit are skipped.
    void restore(DraftKey key, const std::map<int, HeadGrid::Layer>& layers, std::optional<Positions> positions);

    DraftKey newDocument(const Architecture& architecture, const QString& startedFrom);
    /// Throws Error (readArchitecture). One that is listed is chosen. If its file has changed since, it is read again; what was
    /// edited stays beside it, without a file, and a message says so.
    DraftKey openDocument(const std::filesystem::path& file);
    /// Canonical text, atomically. Throws Error "architecture.unwritable". The draft keeps the file as its own; that
    /// of a model is still told from its model.
    void save(DraftKey key, const std::filesystem::path& file);
    void closeDocument(DraftKey key); ///< for good
    /// Takes it out of the list and keeps it: the steps of its edits wait for bringBack(), which returns false
    /// if there is nothing of that key.
    void setAside(DraftKey key);
    bool bringBack(DraftKey key);

    /// The documents as the session's view keeps them, and back, with what is written in them and in the
    /// drafts of models, mistakes included, and the files of these. Reports what cannot be read in Messages. Text for a model that is
    /// not open yet waits for it.
    nlohmann::json viewState() const;
    void restoreView(const nlohmann::json& view);

    // Architectures of the session that could not be read or do not fit their model. The message about each offers to save its
    // text as a file; until then, viewState() contains it.
    /// `document`: as in viewState(), or {"architecture": TEXT} alone. One that is there already is not taken again.
    void keepUnread(nlohmann::json document, const QString& why);
    bool hasUnread() const { return !m_unread.empty(); }
    QString unreadName(int number) const; ///< of unreadRequested(); empty: there is none any more
    /// Throws Error "architecture.unwritable".
    void saveUnread(int number, const std::filesystem::path& file);

    // The life of the models; for Session.
    /// Keeps a draft that was read from a session until its model opens.
    void keepForModel(ModelId id, Architecture saved);
    /// What the draft of a model is beside its valid layers (keptOf), and the same for one that opens again.
    nlohmann::json written(ModelId id) const;
    void keepWritten(const std::filesystem::path& model, const nlohmann::json& kept);
    /// Makes the draft of a model that is Ready. A model opened again with the same layers keeps its draft. If its layers are
    /// others now, an edited draft becomes a document, which a message offers; windows over maps of another toolkit are drawn over
    /// the new ones. A kept draft of other layers or heads becomes unread.
    void openModel(const OpenModel& model);
    void moveModel(ModelId id, const std::filesystem::path& from, const std::filesystem::path& to);
    void closeModel(ModelId id); ///< sets its draft aside
    void forgetClosed();         ///< all that was set aside, and what could not be read: another session is opened
    void followModel(ModelId current);
    /// What the session saves of a model: its draft, edited or still waiting; nullopt if it equals the model.
    std::optional<Architecture> savedDraft(ModelId id) const;

Q_SIGNALS:
    void listChanged();                             ///< keys() or a name
    void draftChanged(headroom::app::DraftKey key); ///< its grid; once per edit, undo and redo
    void currentChanged();
    void documentsEdited(); ///< one was started, opened or saved: what no step of the undo stack says
    void modelChosen(headroom::app::ModelId id); ///< setCurrent() chose the draft of a model
    void unreadRequested(int number); ///< its text is wanted as a file
    void documentRequested(headroom::app::DraftKey key); ///< a message offered to show it

private:
    struct Draft {
        QString name, startedFrom;
        Architecture base;
        HeadGrid grid;
        std::filesystem::path file;   ///< empty: never saved
        std::filesystem::path folder; ///< of a model
        bool isListed = true;         ///< false: maps of another toolkit
        std::optional<Architecture> original = {}; ///< of a document that was saved; else base
        std::optional<Architecture> saved = {};    ///< of a model: what its file has
        std::shared_ptr<DraftKey> steps = {};      ///< by which the undo steps of its edits find it; null: there are none
        QString design = {};                       ///< of a model: OpenModel::design
    };
    static Architecture withLayers(Architecture architecture, const HeadGrid& grid); ///< the last valid ones, and its positions
    QString freeName(const QString& name, int firstCopy) const;
    void letGoOfFile(DraftKey key);
    void replaceModel(DraftKey key, const OpenModel& model);
    DraftKey becomeDocument(DraftKey model);
    static QString causeOf(DraftKey document); ///< of the message that offers to show it
    static HeadGrid gridOf(const Architecture& architecture);
    static nlohmann::json writtenOf(const HeadGrid& grid);
    static void takeWritten(HeadGrid& grid, const nlohmann::json& written);
    /// {"written", "file", "saved"} of the draft of a model; empty: it has only valid layers and no file.
    static nlohmann::json keptOf(const Draft& draft);
    void takeKept(Draft& draft, const nlohmann::json& kept);
    void forgetUnread();
    /// A draft of `model`, which has other layers or heads now, beside it `kept` (keptOf).
    void keepOfOtherHeads(const QString& model, const Architecture& saved, nlohmann::json kept);
    bool keepOfOtherHeads(nlohmann::json document); ///< as it was kept; false: it is none
    bool isListed(DraftKey key) const;
    bool push(DraftKey key, const HeadGrid& after, EditStep step, const QString& text, int windowOf);
    static Architecture edited(const Draft& draft); ///< base with the last valid heads
    void follow();
    void moveOn();

    QUndoStack* m_undo;
    Messages* m_messages;
    std::map<DraftKey, Draft> m_drafts;
    std::map<DraftKey, Draft> m_closed; ///< set aside
    DraftKey m_current;
    ModelId m_followed = ModelId::None; ///< the session's current model
    int m_lastDocument = 0;
    std::map<ModelId, Architecture> m_saved;         ///< drafts of a session that wait for their model
    std::map<std::string, nlohmann::json> m_waiting; ///< folder of a model → what waits for it (keptOf)
    std::map<int, nlohmann::json> m_unread;          ///< number → document (keepUnread)
    int m_lastUnread = 0;
};

} // namespace headroom::app
