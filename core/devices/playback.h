// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/devices/audio_devices.h"

#include <atomic>
#include <cstdint>
#include <span>

namespace headroom {

/// The playback position, common to all players. Call load() while nothing renders, and render() on the
/// device thread (no lock, no allocation); everything else may be called on any thread. Internal to
/// core/devices.
class Playback {
public:
    void load(const Sound& sound, Seconds from, std::optional<TimeRange> loop);
    void setLoop(std::optional<TimeRange> loop);
    /// Fills the block, with silence after the end. `delay`: output latency in samples. Returns false once
    /// everything was heard.
    bool render(std::span<float> block, std::int64_t delay);
    Seconds position() const;

private:
    std::uint64_t packed(std::optional<TimeRange> loop) const;

    Sound m_sound;
    std::int64_t m_next = 0;    ///< the next sample to output
    std::int64_t m_silence = 0; ///< samples of silence after the end
    std::atomic<std::uint64_t> m_loop{
        0}; ///< start and end in one word, 32 bits each, so that both change at once; 0: none
    std::atomic<std::int64_t> m_heard{0};
    std::atomic<int> m_hertz{kModelSampleRate.hertz()}; ///< of m_sound, for position()
};

} // namespace headroom
