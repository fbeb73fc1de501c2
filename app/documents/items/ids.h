// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace headroom::app {

/// Identify what a session holds. Values; given once, never reused while the session is open, not saved. None:
/// nothing is selected.
enum class UtteranceId : int { None = 0 };
enum class ModelId : int { None = 0 };

/// How far something that is read in the background has come.
enum class OpenState {
    Reading, ///< on its way
    Ready,   ///< usable; there may be warnings
    Failed,  ///< `sentence` says why; the row stays until it is removed or opened again
};

} // namespace headroom::app
