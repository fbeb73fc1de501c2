// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

namespace headroom {

/// SplitMix64 (Steele, Lea & Flood 2014). The standard's generators are the same everywhere too, but its
/// distributions are not. A value; not thread-safe.
class SplitMix {
public:
    explicit SplitMix(std::uint64_t seed) : m_state(seed) {}
    std::uint64_t next() {
        std::uint64_t mixed = m_state += 0x9E3779B97F4A7C15U;
        mixed = (mixed ^ (mixed >> 30U)) * 0xBF58476D1CE4E5B9U;
        mixed = (mixed ^ (mixed >> 27U)) * 0x94D049BB133111EBU;
        return mixed ^ (mixed >> 31U);
    }
    /// 0 … count − 1; count < 2^32.
    std::size_t below(std::size_t count) {
        return static_cast<std::size_t>(((next() >> 32U) * static_cast<std::uint64_t>(count)) >> 32U);
    }

private:
    std::uint64_t m_state;
};

} // namespace headroom
