// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

namespace headroom::training {

/// Returns the resource folder that contains this file or folder ("aligner/aligner.json"): HEADROOM_RESOURCES if it is set, else
/// ../share/headroom beside the program, else the source tree. Empty if none contains it.
std::filesystem::path resourceFolderWith(const std::filesystem::path& file);

} // namespace headroom::training
