// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace headroom::app {

/// Characters of a text: as many as the field takes in which it is edited.
inline constexpr int kLongestText = 32767;

} // namespace headroom::app
