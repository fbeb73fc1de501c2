// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <vector>

namespace headroom {

/// Returns the folders in which the alignment of a recording is looked for, in this order: its own, `alignments` in that, and
/// `alignments` beside it if it is called `audio`, as in a corpus.
std::vector<std::filesystem::path> alignmentFolders(const std::filesystem::path& recording);

} // namespace headroom
