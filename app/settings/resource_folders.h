// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

namespace headroom::app {

/// Where the files that come with the program are: HEADROOM_RESOURCES, then ../share/headroom beside the
/// executable (installed), then resources/ of the source tree it was built from. Empty if none of them exists. Any
/// thread.
std::filesystem::path resourceFolder();
/// resources/demo/demo.headroom; empty where it is missing.
std::filesystem::path demoSessionFolder();

} // namespace headroom::app
