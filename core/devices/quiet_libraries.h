// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace headroom {

/// Keeps the messages of ALSA and JACK, if PortAudio has loaded them, off standard error.
void silenceSoundLibraries();

/// Returns false if ALSA has no device definitions (configuration missing or empty). PortAudio would then
/// abort the program.
bool soundConfigurationIsUsable();

} // namespace headroom
