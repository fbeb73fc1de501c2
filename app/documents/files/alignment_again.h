// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/files/session_file.h"
#include "app/documents/items/open_utterance.h"
#include "core/alignment/text_grid.h"

#include <filesystem>
#include <optional>

namespace headroom::app {

/// Returns "talk.TextGrid", or if there is one "talk 2.TextGrid" … Any thread.
std::filesystem::path unusedName(const std::filesystem::path& first);

/// Writes an alignment whose file is gone: as `first`, or under its unusedName(). Returns the file, also if it could not be written:
/// reading it says that it is not there.
std::filesystem::path writeAgain(const Alignment& alignment, Seconds duration, const std::filesystem::path& first);

/// Where an alignment of a recording of the session is now. Saving under another name took the recording along, and the folder in which
/// `file` was may be gone: then it is written again beside the recording. `nullopt`: it stays where it is.
std::optional<SessionDocument::FileEntry> writtenAgain(const OpenUtterance& utterance, const Alignment* alignment,
                                                       const std::filesystem::path& file);

} // namespace headroom::app
