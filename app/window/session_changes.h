// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/files/session_file.h"

#include <QString>

#include <functional>
#include <optional>

namespace headroom::app {

/// Returns the own architecture of the model in a folder; nullopt while it is unknown.
using OwnArchitecture = std::function<std::optional<Architecture>(const std::filesystem::path& folder)>;

/// Returns what changed in a session since it was saved: "heads of “demo” edited (layer 3: full → 9),
/// 2 recordings added, 1 study opened". Empty if nothing differs that makes a session modified. Pure.
QString changesText(const SessionDocument& saved, const SessionDocument& now, const OwnArchitecture& ownOf);

} // namespace headroom::app
