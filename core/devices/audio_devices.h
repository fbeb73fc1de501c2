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

/// Mono samples, nominally in [−1, 1], shared with whoever else looks at them; never changed while they are
/// played.
struct Sound {
    std::shared_ptr<const std::vector<float>> samples;
    SampleRate rate{kModelSampleRate};
};

/// A part of a sound, start < end; clipped to the sound.
struct TimeRange {
    Seconds start, end;
};

/// Plays one sound at a time. play(), setLoop() and stop() on one thread (the window's); position() and
/// playing() are atomic reads, for any thread at any rate. The destructor stops.
class Player {
public:
    virtual ~Player() = default;
    /// From a position to the end of the sound, or round and round in `loop` (a `from` outside it starts at
    /// its start). Replaces what is playing. An empty sound, or a position at or after its end, plays
    /// nothing. Throws Error "devices.failed".
    virtual void play(const Sound& sound, Seconds from, std::optional<TimeRange> loop = {}) = 0;
    /// Changes the loop while playing; none plays on to the end.
    virtual void setLoop(std::optional<TimeRange> loop) = 0;
    /// Silent when it returns. The position stays.
    virtual void stop() = 0;
    virtual bool playing() const = 0;
    /// What is heard now (the device's delay taken off), in seconds of the sound.
    virtual Seconds position() const = 0;
};

/// Records mono. start(), stop() and take() on one thread; level() and dropped() are atomic. The destructor
/// stops.
class Recorder {
public:
    virtual ~Recorder() = default;
    /// Forgets what was recorded before. Throws Error "devices.failed".
    virtual void start() = 0;
    /// What arrived until then can still be taken.
    virtual void stop() = 0;
    virtual bool recording() const = 0;
    /// The rate of what take() gives; known after construction.
    virtual SampleRate rate() const = 0;
    /// Appends what arrived since the last call. Call it a few times a second: a minute fits in between.
    virtual void take(std::vector<float>& samples) = 0;
    /// The largest |sample| since the last call of level().
    virtual float level() = 0;
    /// Samples lost because take() came too late.
    virtual std::int64_t dropped() const = 0;
};

struct AudioDeviceInfo {
    int index = -1;   ///< for makePlayer and makeRecorder; stable while the AudioDevices lives
    std::string name; ///< "HDA Intel PCH: ALC257 (hw:0,0) (ALSA)"
    bool plays = false, records = false;
    bool isDefaultPlayer = false, isDefaultRecorder = false;
};

/// The sound cards of this machine, or a stand-in for them. One thread at a time.
class AudioDevices {
public:
    virtual ~AudioDevices() = default;
    virtual std::vector<AudioDeviceInfo> list() const = 0;
    /// −1: the default one. Throws Error "devices.none" where nothing can play (or record): the rest works
    /// without.
    virtual std::unique_ptr<Player> makePlayer(int index = -1) = 0;
    virtual std::unique_ptr<Recorder> makeRecorder(int index = -1) = 0;
};

/// The sound cards through PortAudio. Throws Error "devices.none" where there is none at all,
/// "devices.failed" where PortAudio does not start. Writes nothing to standard error. Call again to see cards
/// that were plugged in since.
std::unique_ptr<AudioDevices> openSoundCards();

/// A stand-in paced by a clock: recording delivers `input` in real time (then silence), playing swallows in
/// real time.
struct FileDeviceSettings {
    std::filesystem::path input; ///< empty: silence
    double speed = 1;            ///< times real time
};
/// Throws what loadRecording throws.
std::unique_ptr<AudioDevices> openFileDevices(const FileDeviceSettings& settings);

/// The devices by choice: "" is openSoundCards(), "file:" and "file:PATH" are openFileDevices(). Throws Error
/// "devices.unknown" for anything else.
std::unique_ptr<AudioDevices> openAudioDevices(const std::string& choice);

} // namespace headroom
