// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/items/open_utterance.h"

#include <QStringList>

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <map>
#include <utility>
#include <vector>

namespace headroom::app {

class Session;

/// How far a search is, between the thread that searches and one that shows it.
struct SearchProgress {
    std::atomic<std::uintmax_t> bytesRead = 0, bytesToRead = 0; ///< of the files whose content is compared
    std::atomic<bool> isCancelled = false;
};

/// Locates recordings that are not where the session says. `place` is the file of `chosen`, or a folder to look for it in: by its name
/// and the names of the folders that it was in, or else, among the sounds of `place` itself, by its SHA-256. The others are looked
/// for where the same move would have put them, then in the same way.
struct SoughtRecordings {
    OpenUtterance chosen;
    std::vector<OpenUtterance> missing; ///< all of them, in the order of the session
    std::filesystem::path place;
};

struct LocatedRecordings {
    struct Located {
        UtteranceId id = UtteranceId::None;
        std::filesystem::path file, alignment; ///< where they are now
    };
    std::vector<Located> found;
    QStringList lost, renamed;
    std::map<UtteranceId, QString> mistakes{}; ///< why the file that one of the lost would be read from is no sound
};

/// `missing` is empty if `id` is not missing. Window's thread.
SoughtRecordings missingRecordings(const Session& session, UtteranceId id, const std::filesystem::path& place);
/// Reads files where names do not help. What it returns after it was cancelled is incomplete. Any thread.
LocatedRecordings locate(const SoughtRecordings& sought, SearchProgress& progress);
/// Those that are found, and still missing in the session, are read from their new place, with alignments that moved as well, as one
/// undo step. A message says how many were found, which have other names, and which files are no sound. Window's thread.
void takeLocated(Session* session, const SoughtRecordings& sought, LocatedRecordings located);

/// Does the same for models at once, since only names are compared. `folder` may also be the model of `id` itself under a new name.
/// Window's thread.
void locateMissingModel(Session* session, ModelId id, const std::filesystem::path& folder);

} // namespace headroom::app
