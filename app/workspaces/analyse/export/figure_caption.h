// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/session.h"
#include "app/workspaces/analyse/common/drawn_map.h"

#include <QString>

#include <optional>

namespace headroom::app {

/// What a figure of the middle shows. Borrowed.
struct DrawnMaps {
    DrawnMap a;
    std::optional<DrawnMap> b = std::nullopt; ///< on the right; may be drawn as A − B
    bool isBlinked = false;                   ///< B stands in A's place too
};

/// The title of a figure's file: "LJ001-0002: layer 3 of demo, contributions"; with a second map also what that is. The recording
/// alone where nothing is analysed. Window's thread.
QString figureTitle(const Session& session, const DrawnMaps& maps);

/// The line below a figure of the middle: what each map is (formula, mode), of which model (hash), layer and
/// recording, which window is drawn, and how the colours were made. The recording alone where nothing is
/// analysed. Window's thread.
QString figureCaption(const Session& session, const DrawnMaps& maps);

} // namespace headroom::app
