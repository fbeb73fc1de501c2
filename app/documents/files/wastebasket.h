// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <filesystem>

namespace headroom::app {

/// A folder or a file in the desktop's wastebasket: where it was and where it lies now.
struct InWastebasket {
    std::filesystem::path folder, there;
};

/// Moves a folder or a file to the wastebasket, or takes it out again. Returns a sentence if that failed, else an empty text.
/// Whether it is in use, its owner asks first. Any thread.
QString moveToWastebasket(const std::filesystem::path& folder, InWastebasket& moved);
QString bringBack(const InWastebasket& moved);

} // namespace headroom::app
