// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/devices/playback.h"

#include <algorithm>
#include <limits>

namespace headroom {

std::uint64_t Playback::packed(std::optional<TimeRange> loop) const {
    if (!loop || !m_sound.samples)
        return 0;
    const auto size = std::min<std::int64_t>(static_cast<std::int64_t>(m_sound.samples->size()),
                                             std::numeric_limits<std::uint32_t>::max());
    const std::int64_t start = std::clamp<std::int64_t>(m_sound.rate.nearest(loop->start).value(), 0, size);
    const std::int64_t end = std::clamp<std::int64_t>(m_sound.rate.nearest(loop->end).value(), 0, size);
    if (end <= start)
        return 0;
    return static_cast<std::uint64_t>(start) << 32 | static_cast<std::uint64_t>(end);
}

void Playback::load(const Sound& sound, Seconds from, std::optional<TimeRange> loop) {
    m_sound = sound;
    const std::uint64_t word = packed(loop);
    m_loop = word;
    const auto size = static_cast<std::int64_t>(sound.samples ? sound.samples->size() : 0);
    m_next = std::clamp<std::int64_t>(sound.rate.nearest(from).value(), 0, size);
    const auto start = static_cast<std::int64_t>(word >> 32);
    const auto end = static_cast<std::int64_t>(word & 0xFFFFFFFF);
    if (word != 0 && (m_next < start || m_next >= end))
        m_next = start;
    m_silence = 0;
    m_heard = m_next;
    m_hertz = sound.rate.hertz();
}

void Playback::setLoop(std::optional<TimeRange> loop) {
    m_loop = packed(loop);
}

bool Playback::render(std::span<float> block, std::int64_t delay) {
    const std::uint64_t word = m_loop.load(std::memory_order_relaxed);
    const auto loopStart = static_cast<std::int64_t>(word >> 32);
    const auto loopEnd = static_cast<std::int64_t>(word & 0xFFFFFFFF);
    const auto size = static_cast<std::int64_t>(m_sound.samples ? m_sound.samples->size() : 0);

    // What is heard while this block is on its way. Behind the start of a loop lies the loop's end.
    std::int64_t heard = m_next + m_silence - delay;
    if (word != 0 && heard < loopStart && m_heard.load(std::memory_order_relaxed) >= loopStart)
        heard = std::max(loopStart, loopEnd - (loopStart - heard));
    else if (word == 0)
        heard = std::max(heard, m_heard.load(std::memory_order_relaxed)); // never backwards at the start
    m_heard.store(std::clamp<std::int64_t>(heard, 0, size), std::memory_order_relaxed);

    for (float& sample : block) {
        if (word != 0 && m_next >= loopEnd)
            m_next = loopStart;
        if (m_next < size) {
            sample = (*m_sound.samples)[static_cast<std::size_t>(m_next++)];
        } else {
            sample = 0;
            ++m_silence;
        }
    }
    const bool over = m_next >= size && word == 0 && m_silence >= delay;
    if (over)
        m_heard.store(size, std::memory_order_relaxed);
    return !over;
}

Seconds Playback::position() const {
    return SampleRate(m_hertz).duration(Samples(m_heard.load(std::memory_order_relaxed)));
}

} // namespace headroom
