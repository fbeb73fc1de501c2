// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/parts/sound/sound_devices.h"

#include <cstdlib>

namespace headroom::app {

std::string SoundDevices::choiceFromEnvironment() {
    const char* choice = std::getenv("HEADROOM_AUDIO");
    return choice ? choice : "";
}

AudioDevices& SoundDevices::devices() {
    if (!m_devices)
        m_devices = openAudioDevices(m_choice);
    return *m_devices;
}

} // namespace headroom::app
