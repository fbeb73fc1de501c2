// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/errors/error.h"
#include "core/time/units.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace headroom {

/// Mono samples, nominally in [−1, 1]. Shared and immutable.
struct Sound {
    std::shared_ptr<const std::vector<float>> samples;
    SampleRate rate{kModelSampleRate};
};

/// A part of a sound, start < end; clipped to the sound.
struct TimeRange {
    Seconds start, end;
};

/// Plays one sound at a time. play(), setLoop() and stop(): one thread (the window's). position() and
/// playing() are atomic and may be called on any thread. The destructor stops playback.
class Player {
public:
    virtual ~Player() = default;
    /// Plays from a position to the end of the sound, or repeatedly in `loop` (a `from` outside it starts at
    /// its start). Replaces what is playing. An empty sound, or a position at or after its end, plays
    /// nothing. Throws Error "devices.failed".
    virtual void play(const Sound& sound, Seconds from, std::optional<TimeRange> loop = {}) = 0;
    /// Changes the loop while playing; `nullopt` continues to the end.
    virtual void setLoop(std::optional<TimeRange> loop) = 0;
    /// Stops playback before it returns; keeps the position.
    virtual void stop() = 0;
    virtual bool playing() const = 0;
    /// Returns what is heard now (output latency subtracted), in seconds of the sound.
    virtual Seconds position() const = 0;
};

/// Records mono. start(), stop() and take(): one thread. level() and dropped() are atomic. The destructor
/// stops recording.
class Recorder {
public:
    virtual ~Recorder() = default;
    /// Discards earlier samples and starts. Throws Error "devices.failed".
    virtual void start() = 0;
    /// Stops. take() still returns what arrived before.
    virtual void stop() = 0;
    virtual bool recording() const = 0;
    /// Sample rate of take(); known after construction.
    virtual SampleRate rate() const = 0;
    /// Appends what arrived since the last call. The buffer holds a minute, so call it a few times a second.
    virtual void take(std::vector<float>& samples) = 0;
    /// Returns the largest |sample| since the last call.
    virtual float level() = 0;
    /// Returns the number of samples lost because take() was called too late.
    virtual std::int64_t dropped() const = 0;
};

struct AudioDeviceInfo {
    int index = -1;   ///< for makePlayer and makeRecorder; stable during the lifetime of the AudioDevices
    std::string name; ///< "HDA Intel PCH: ALC257 (hw:0,0) (ALSA)"
    bool plays = false, records = false;
    bool isDefaultPlayer = false, isDefaultRecorder = false;
};

/// The sound cards of this machine, or a stand-in. One thread at a time.
class AudioDevices {
public:
    virtual ~AudioDevices() = default;
    virtual std::vector<AudioDeviceInfo> list() const = 0;
    /// −1: the default device. Throws Error "devices.none" if nothing can play (or record).
    virtual std::unique_ptr<Player> makePlayer(int index = -1) = 0;
    virtual std::unique_ptr<Recorder> makeRecorder(int index = -1) = 0;
};

/// Opens the sound cards through PortAudio. Throws Error "devices.none" if there is none, "devices.failed" if
/// PortAudio does not start. Writes nothing to standard error. Call it again to see new cards.
std::unique_ptr<AudioDevices> openSoundCards();

/// A stand-in driven by a clock: recording delivers `input` in real time (then silence), and playback
/// discards samples in real time.
struct FileDeviceSettings {
    std::filesystem::path input; ///< empty: silence
    double speed = 1;            ///< times real time
};
/// Throws the errors of loadRecording.
std::unique_ptr<AudioDevices> openFileDevices(const FileDeviceSettings& settings);

/// Opens the chosen devices: "" calls openSoundCards(), "file:" and "file:PATH" call openFileDevices().
/// Throws Error "devices.unknown" for anything else.
std::unique_ptr<AudioDevices> openAudioDevices(const std::string& choice);

} // namespace headroom
