// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/session.h"
#include "app/workspaces/analyse/common/drawn_map.h"

#include <QString>

#include <optional>

namespace headroom::app {

/// The title of a figure's file: "LJ001-0002: layer 3 of demo, contributions"; with a second map also what that is. The recording
/// alone where nothing is analysed. Window's thread.
QString figureTitle(const Session& session, const DrawnMap& map, const std::optional<DrawnMap>& beside);

/// The line below a figure of the middle: what each map is (formula, mode), of which model (hash), layer and
/// recording, which window is drawn, and how the colours were made. The recording alone where nothing is
/// analysed. Window's thread.
QString figureCaption(const Session& session, const DrawnMap& map, const std::optional<DrawnMap>& beside);

} // namespace headroom::app
