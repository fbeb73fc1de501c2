// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <filesystem>
#include <functional>
#include <vector>

namespace headroom::app {

class Messages;

/// A folder in the desktop's wastebasket: where it was and where it lies now.
struct InWastebasket {
    std::filesystem::path folder, there;
};

/// Moves a folder to the wastebasket, or takes it out again. Returns a sentence if that failed, else an empty text. Whether the
/// folder is in use, its owner asks first. Any thread.
QString moveToWastebasket(const std::filesystem::path& folder, InWastebasket& moved);
QString bringBack(const InWastebasket& moved);

/// Says in Messages what was moved, with "Undo", which calls `undo` for each. `name`: of the only one; `several`: "Moved %1 runs to
/// the wastebasket.". `remark`: a sentence more. The message goes once all of it has left the wastebasket. Says nothing if nothing was
/// moved. Window's thread.
void announceMoved(Messages* messages, const std::vector<InWastebasket>& moved, const QString& name, const QString& several,
                   std::function<void(const InWastebasket&)> undo, const QString& remark = {});

} // namespace headroom::app
