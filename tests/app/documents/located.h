// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/saving/moved_files.h"

namespace headroom::testing {

/// Looks for missing recordings on this thread.
inline void locateMissing(app::Session* session, app::UtteranceId id, const std::filesystem::path& place) {
    app::SearchProgress progress;
    const app::SoughtRecordings sought = app::missingRecordings(*session, id, place);
    app::takeLocated(session, sought, app::locate(sought, progress));
}

} // namespace headroom::testing
