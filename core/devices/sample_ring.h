// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/devices/audio_devices.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

namespace headroom {

/// Transfers samples from a device callback to the window: one writer, one reader, no lock, no allocation
/// after construction. Also a level meter. Internal to core/devices.
class SampleRing {
public:
    explicit SampleRing(std::size_t atLeast) : m_samples(std::bit_ceil(atLeast)) {}

    /// Writer. Samples that do not fit are dropped and counted.
    void push(std::span<const float> block) {
        const std::uint64_t written = m_written.load(std::memory_order_relaxed);
        const std::uint64_t free = m_samples.size() - (written - m_read.load(std::memory_order_acquire));
        const std::size_t count = std::min<std::size_t>(block.size(), free);
        float peak = m_peak.load(std::memory_order_relaxed);
        for (std::size_t i = 0; i < block.size(); ++i) {
            peak = std::max(peak, std::abs(block[i]));
            if (i < count)
                m_samples[(written + i) & (m_samples.size() - 1)] = block[i];
        }
        // The reader may set it to 0 in between; it has then already seen a level of this moment.
        m_peak.store(peak, std::memory_order_relaxed);
        m_dropped.fetch_add(static_cast<std::int64_t>(block.size() - count), std::memory_order_relaxed);
        m_written.store(written + count, std::memory_order_release);
    }

    /// Reader.
    void take(std::vector<float>& samples) {
        const std::uint64_t end = m_written.load(std::memory_order_acquire);
        const std::uint64_t begin = m_read.load(std::memory_order_relaxed);
        samples.reserve(samples.size() + (end - begin));
        for (std::uint64_t i = begin; i < end; ++i)
            samples.push_back(m_samples[i & (m_samples.size() - 1)]);
        m_read.store(end, std::memory_order_release);
    }
    /// Reader, only while the writer is idle.
    void clear() {
        m_read.store(m_written.load());
        m_dropped = 0;
        m_peak = 0;
    }
    float level() { return m_peak.exchange(0); }
    std::int64_t dropped() const { return m_dropped.load(); }

private:
    std::vector<float> m_samples;
    std::atomic<std::uint64_t> m_written{0}, m_read{0};
    std::atomic<float> m_peak{0};
    std::atomic<std::int64_t> m_dropped{0};
};

} // namespace headroom
