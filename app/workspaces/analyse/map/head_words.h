// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/head_groups.h"

#include <QString>

namespace headroom::app {

/// "block 64 + conv", "reuse 1": a layer whose heads are not all full or centred-local, whose window and CL
/// would therefore not say what it sees. Empty where they are. Counts and modifiers are left out. Pure.
QString otherKinds(const std::vector<HeadGroup>& heads);

} // namespace headroom::app
