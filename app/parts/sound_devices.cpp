// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/parts/sound_devices.h"

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

std::unique_ptr<Player> SoundDevices::makePlayer(const std::string& name) {
    for (const AudioDeviceInfo& info : devices().list())
        if (info.plays && info.name == name)
            return devices().makePlayer(info.index);
    return devices().makePlayer();
}

std::unique_ptr<Recorder> SoundDevices::makeRecorder(const std::string& name) {
    for (const AudioDeviceInfo& info : devices().list())
        if (info.records && info.name == name)
            return devices().makeRecorder(info.index);
    return devices().makeRecorder();
}

} // namespace headroom::app
