// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/ids.h"

#include <filesystem>

namespace headroom::app {

class Session;

/// Finds recordings again that are not where the session says. The one of `id` is looked for in `folder`, by its name and the
/// names of the folders that it was in; the others where they lie now if the same move took them along, and by their names
/// too. All that are there are read from there, with alignments that moved as well, as one step of the undo stack. A
/// message says how many were found. Asks the disk whether files exist; window's thread.
void locateMissing(Session* session, UtteranceId id, const std::filesystem::path& folder);

/// The same for models. `folder` may also be that of the model of `id` itself, under a new name.
void locateMissingModel(Session* session, ModelId id, const std::filesystem::path& folder);

} // namespace headroom::app
