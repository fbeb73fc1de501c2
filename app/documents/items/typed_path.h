// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <filesystem>

namespace headroom::app {

/// The path that a user typed, without blanks around it. "~" is the home folder, also before "/", as in a terminal. Empty: none.
std::filesystem::path typedPath(const QString& text);
/// Why such a path cannot be used: nobody knows in which folder it begins. Empty for a full path, and for none.
QString notFullText(const std::filesystem::path& path);

} // namespace headroom::app
