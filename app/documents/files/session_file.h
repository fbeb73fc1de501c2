// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/items/analysis.h"
#include "app/documents/items/open_model.h"
#include "core/architecture/architecture.h"

#include <nlohmann/json.hpp>

#include <QString>
#include <QStringList>

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace headroom::app {

/// The newest version; older ones stay readable. A file of a newer one is refused with a sentence. Version 2 adds
/// texts, version 3 the texts of a corpus, version 4 the assignment of imported maps; a session is written in the oldest version that can
/// hold it.
inline constexpr int kSessionVersion = 4;
inline constexpr const char* kSessionSuffix = ".headroom";
inline constexpr const char* kSessionFileName = "session.json";
inline constexpr const char* kViewFileName = "view.json"; ///< see writeView()
inline constexpr const char* kRecoveryFileName = "recovery.json"; ///< see writeRecovery()
inline constexpr const char* kRecordingsName = "recordings"; ///< the folder of what was recorded here

/// What a session folder says, as plain values: NAME.headroom/session.json. Paths are absolute here, and
/// relative to the session folder in the file. Schema: app/documents/README.md.
struct SessionDocument {
    struct FileEntry {
        std::filesystem::path path;
        std::string sha256; ///< empty: not known when it was saved
    };
    struct UtteranceEntry {
        QString name;
        FileEntry audio; ///< a recorded one lies in recordings/; empty for a text
        std::optional<FileEntry> alignment;
        bool recorded = false;
        std::optional<Part> part;
        std::optional<QString> text; ///< of a text
        QString target;              ///< of a text: its translation as given
        CorpusTexts texts;           ///< of a recording
        std::shared_ptr<const Recording>
            unsaved; ///< recorded and in no file yet: the writer makes recordings/NAME.wav
    };
    struct ModelEntry {
        QString name;
        std::filesystem::path folder;
        std::map<std::string, std::string> sha256; ///< file in the folder → SHA-256
        bool enabled = true;
        std::optional<int> colour; ///< 0 … kModelStyles − 1; nothing: the first that is free
        std::optional<Architecture> draft; ///< where it differs from the model's own
        std::string unreadDraft = {}, whyUnread = {}; ///< the text of a draft that cannot be read; not written (Drafts::keepUnread)
        std::optional<int> mapsOf = {}; ///< imported maps: index of the recording of another name that they were assigned to
    };
    std::vector<UtteranceEntry> utterances;
    std::vector<ModelEntry> models;
    int currentUtterance = -1; ///< index; −1: none
    int currentModel = -1;
    int currentLayer = 1;
    MapSource source;
    nlohmann::json view =
        nlohmann::json::object(); ///< what the window wants to find again (see Session::viewState)
};

/// Reads NAME.headroom. Every key, type and index is checked; paths that do not exist are no error here (the
/// session says so in their rows). What writeView() kept for this session.json, in `view` or beside it, stands in for its
/// view; one that cannot be read is passed over, for nothing but a view is lost. Throws Error that names the file:
/// "session.missing", "session.notSession", "session.badVersion", "session.badKey" (unknown, missing or of a wrong type,
/// with its place).
SessionDocument readSession(const std::filesystem::path& folder, const std::filesystem::path& view = {});

/// Where files of a recording went that was recorded here; empty: it stayed where it was.
struct PlacedFiles {
    std::filesystem::path audio, alignment;
};
using PlacedByRow = std::map<std::size_t, PlacedFiles>; ///< by index of the utterance

/// Writes NAME.headroom atomically: recordings first, then session.json by a temporary file and rename, so
/// that a crash leaves the old session or the new one. Throws Error "session.unwritable". Returns where each
/// `unsaved` recording went, and copies of what lies in the folder of another session.
PlacedByRow writeSession(const std::filesystem::path& folder, const SessionDocument& document);

/// Writes what is only looked at (`current`, `view`) into view.json, and leaves session.json as it was saved: it needs no
/// question, and another window with this session sees no other version. It belongs to the session.json with the hash
/// `ofSession`; writeSession() removes it. Throws Error "session.unwritable".
void writeView(const std::filesystem::path& folder, const SessionDocument& document, const std::string& ofSession);

/// The changes of a session that nobody has saved yet, as writeRecovery() kept them.
struct KeptChanges {
    SessionDocument document;
    std::string ofSession; ///< hash of the session.json that was changed; empty: not known
};
/// Writes them into `file`, which lies beside session.json and leaves it as it was saved. Recordings go where writeSession() puts
/// them; returns the same. Throws Error "session.unwritable".
PlacedByRow writeRecovery(const std::filesystem::path& file, const KeptChanges& changes);
/// Throws as readSession().
KeptChanges readRecovery(const std::filesystem::path& file);

/// SHA-256 of a file, lower-case hexadecimal; empty where it cannot be read. Blocking.
std::string hashOfFile(const std::filesystem::path& file);
/// Of the files of a model folder that decide what it computes: configuration, weights, tokenizer. Blocking.
std::map<std::string, std::string> hashOfModel(const std::filesystem::path& folder);

} // namespace headroom::app
