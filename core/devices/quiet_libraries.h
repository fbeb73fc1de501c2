// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace headroom {

/// Makes ALSA and JACK, where PortAudio has brought them along, keep their search for cards off standard
/// error.
void silenceSoundLibraries();

/// False where ALSA is there but has no device definitions at all (its configuration is missing or empty):
/// PortAudio's search for cards then ends the program by an assertion.
bool soundConfigurationIsUsable();

} // namespace headroom
