// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/alignment/text_grid.h"

#include <filesystem>

namespace headroom::app {

/// Returns "talk.TextGrid", or if there is one "talk 2.TextGrid" … Any thread.
std::filesystem::path unusedName(const std::filesystem::path& first);

/// Writes an alignment whose file is gone: as `first`, or under its unusedName(). Returns the file, also if it could not be written:
/// reading it says that it is not there.
std::filesystem::path writeAgain(const Alignment& alignment, Seconds duration, const std::filesystem::path& first);

} // namespace headroom::app
