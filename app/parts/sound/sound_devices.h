// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/devices/audio_devices.h"

#include <memory>
#include <string>

namespace headroom::app {

/// The sound cards, opened when sound is first wanted: a machine without one says so then, and everything
/// else works. HEADROOM_AUDIO chooses a stand-in ("file:", "file:PATH"). Window's thread only.
class SoundDevices {
public:
    explicit SoundDevices(std::string choice = choiceFromEnvironment()) : m_choice(std::move(choice)) {}
    /// Of the system's choice. Throw Error "devices.…" with a sentence.
    std::unique_ptr<Player> makePlayer() { return devices().makePlayer(); }
    std::unique_ptr<Recorder> makeRecorder() { return devices().makeRecorder(); }
    static std::string choiceFromEnvironment();

private:
    AudioDevices& devices();
    std::string m_choice;
    std::unique_ptr<AudioDevices> m_devices;
};

} // namespace headroom::app
