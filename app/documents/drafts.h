// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/session.h"
#include "core/architecture/head_grid.h"

#include <QObject>

#include <compare>
#include <filesystem>
#include <map>
#include <vector>

namespace headroom::app {

/// Which architecture is meant: the draft of an open model, or a document of its own.
struct DraftKey {
    ModelId model = ModelId::None;
    int document = 0; ///< from 1; 0: a model's
    bool isNone() const { return model == ModelId::None && document == 0; }
    auto operator<=>(const DraftKey&) const = default;
};

/// One text for heads [first, last] of a layer, all from 1 (HeadGrid::write).
struct HeadsText {
    int layer = 1, first = 1, last = 1;
    QString text;
};

/// Every architecture that can be edited: one draft per open model, shared with the band in ANALYSE, and
/// documents that were opened or started from a preset. Beside the valid architecture it keeps what is
/// written, mistakes included. All edits go onto the session's one undo stack. Window's thread.
class Drafts : public QObject {
    Q_OBJECT

public:
    explicit Drafts(Session* session, QObject* parent = nullptr);

    std::vector<DraftKey> keys() const; ///< models as they are listed (those that are open), then documents
    bool has(DraftKey key) const { return m_drafts.count(key) > 0; }
    QString name(DraftKey key) const;
    QString
    origin(DraftKey key) const; ///< "edited, from Locality En-De"; empty for an untouched draft of a model
    bool isEdited(DraftKey key) const; ///< its layers are not those it began with
    const HeadGrid& grid(DraftKey key) const { return m_drafts.at(key).grid; }
    /// The valid architecture: base with the last valid layers.
    Architecture architecture(DraftKey key) const;
    /// What it began with: the model's own, or the preset or file.
    const Architecture& base(DraftKey key) const { return m_drafts.at(key).base; }
    std::filesystem::path file(DraftKey key) const { return m_drafts.at(key).file; } ///< empty: never saved

    /// None where there is nothing to edit. Follows the session's current model until a document is chosen.
    DraftKey current() const { return m_current; }
    void setCurrent(DraftKey key);

    /// One undo step; nothing happens where nothing changes. `text`: what the step is called; empty: what it
    /// does.
    void write(DraftKey key, const std::vector<HeadsText>& texts, EditStep step = EditStep::New,
               const QString& text = {});
    /// Without undo: for commands only.
    void restore(DraftKey key, const std::map<int, HeadGrid::Layer>& layers);

    DraftKey newDocument(const Architecture& architecture, const QString& startedFrom);
    DraftKey openDocument(const std::filesystem::path& file); ///< throws Error (readArchitecture)
    /// Canonical text, atomically. Throws Error "architecture.unwritable". A document keeps the file as its
    /// own.
    void save(DraftKey key, const std::filesystem::path& file);
    void closeDocument(DraftKey key);

    /// The documents as the session's view keeps them, and back, with what is written in them and in the
    /// drafts of models, mistakes included; what cannot be read is said in Messages. What was written for a
    /// model that is not open yet waits for it.
    nlohmann::json viewState() const;
    void restoreView(const nlohmann::json& view);

Q_SIGNALS:
    void listChanged();                             ///< keys() or a name
    void draftChanged(headroom::app::DraftKey key); ///< its grid
    void currentChanged();

private:
    struct Draft {
        QString name, startedFrom;
        Architecture base;
        HeadGrid grid;
        std::filesystem::path file;
    };
    static HeadGrid gridOf(const Architecture& architecture);
    static nlohmann::json writtenOf(const HeadGrid& grid);
    static void takeWritten(HeadGrid& grid, const nlohmann::json& written);
    void takeModel(ModelId id);
    void takeLayer(ModelId id, int layer);
    void removeModel(ModelId id);
    void followModel();

    Session* m_session;
    std::map<DraftKey, Draft> m_drafts;
    DraftKey m_current;
    int m_lastDocument = 0;
    std::map<std::string, nlohmann::json> m_waiting; ///< folder of a model → what was written for it
    bool m_restoring = false; ///< the session is being told; what it says back is known
};

} // namespace headroom::app
