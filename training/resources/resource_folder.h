// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace headroom::training {

/// Returns the resource folder that contains this file or folder ("aligner/aligner.json"): HEADROOM_RESOURCES if it is set, else
/// ../share/headroom beside the program, else the source tree. Empty if none contains it.
std::filesystem::path resourceFolderWith(const std::filesystem::path& file);

/// Returns the file of this name that comes with the program in one of these folders ("recipes"), the first that has it. Returns
/// `given` itself if it is more than a bare name that ends in .json, if such a file is in the current folder, or if none comes with it.
std::string shippedFile(const std::string& given, const std::vector<std::string>& folders);

} // namespace headroom::training
