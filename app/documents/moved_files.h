// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/ids.h"

#include <filesystem>

namespace headroom::app {

class Session;

/// Locates recordings that are not where the session says. Looks for the one of `id` in `folder`, by its name and the names of
/// the folders that it was in, and for the others where the same move would have put them, then by their names too. Those that
/// are found are read from their new place, with alignments that moved as well, as one undo step. A message says how many were
/// found. Accesses the disk; window's thread.
void locateMissing(Session* session, UtteranceId id, const std::filesystem::path& folder);

/// The same for models. `folder` may also be the model of `id` itself under a new name.
void locateMissingModel(Session* session, ModelId id, const std::filesystem::path& folder);

} // namespace headroom::app
