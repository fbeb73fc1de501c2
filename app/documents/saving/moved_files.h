// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/items/ids.h"

#include <filesystem>

namespace headroom::app {

class Session;

/// Locates recordings that are not where the session says. `place` is the file of `id`, or a folder to look for it in: by its name
/// and the names of the folders that it was in, or else, among the sounds of `place` itself, by its SHA-256. The others are looked
/// for where the same move would have put them, then in the same way. Those that are found are read from their new place, with
/// alignments that moved as well, as one undo step. A message says how many were found, and which have another name.
/// Reads files where names do not help; window's thread.
void locateMissing(Session* session, UtteranceId id, const std::filesystem::path& place);

/// The same for models. `folder` may also be the model of `id` itself under a new name.
void locateMissingModel(Session* session, ModelId id, const std::filesystem::path& folder);

} // namespace headroom::app
