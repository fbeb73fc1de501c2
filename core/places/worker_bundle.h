// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>

namespace headroom {

// A bundle (packaging/bundle-worker) is a folder that holds the worker and every library besides LibTorch. `places install`
// copies it; the window looks for it before it asks whether to copy.

/// The bundle that this program of the worker is part of, if it is; else $XDG_CACHE_HOME/headroom/worker-VERSION (~/.cache),
/// where packaging/bundle-worker writes. It need not exist.
std::filesystem::path workerBundle(const std::filesystem::path& program, const std::string& version);

/// Throws Error "install.noBundle", whose sentence names the line to type, if the folder is missing or no bundle.
void checkBundle(const std::filesystem::path& folder);

} // namespace headroom
