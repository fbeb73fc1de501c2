// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/items/ids.h"

#include <filesystem>
#include <functional>

class QWidget;

namespace headroom::app {

class Session;

/// Looks for missing recordings (locate(), app/documents/saving) on the global thread pool. If it takes longer than half a second, a
/// dialogue over `window` shows how far it is and offers Cancel, which leaves the session as it is. `then` is called after the session
/// was told, unless it was cancelled. Borrows session and window; window's thread.
void locateRecordings(Session* session, UtteranceId id, const std::filesystem::path& place, QWidget* window, std::function<void()> then);

} // namespace headroom::app
