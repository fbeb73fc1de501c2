// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace headroom {

/// What is suggested where a window is still to be chosen, in tokens: centred or masked, and of blocks.
inline constexpr int kUsualWindow = 17, kUsualBlock = 64;

} // namespace headroom
