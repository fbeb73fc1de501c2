// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <initializer_list>

namespace headroom::training {

/// Random numbers derived from their purpose, for example (seed, epoch, utterance). No state needs to be
/// stored to resume, and the order in which threads sample cannot matter. SplitMix64: the same numbers on
/// every machine and with every standard library.
class Random {
public:
    explicit Random(std::initializer_list<std::uint64_t> purpose) {
        for (const std::uint64_t part : purpose)
            m_state = mix(m_state + kStep + part);
    }

    std::uint64_t next() { return mix(m_state += kStep); }

    /// Uniform in [0, count), without bias; `count` at least 1.
    std::int64_t below(std::int64_t count) {
        const auto range = static_cast<std::uint64_t>(count);
        const std::uint64_t limit = UINT64_MAX - UINT64_MAX % range; // a multiple of `range`
        std::uint64_t value = next();
        while (value >= limit)
            value = next();
        return static_cast<std::int64_t>(value % range);
    }

    /// Uniform in [0, 1), a multiple of 2⁻⁵³.
    double share() { return static_cast<double>(next() >> 11) * 0x1p-53; }

private:
    static constexpr std::uint64_t kStep = 0x9E3779B97F4A7C15u;
    static std::uint64_t mix(std::uint64_t z) {
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
        return z ^ (z >> 31);
    }
    std::uint64_t m_state = 0;
};

/// The second part of a purpose; streams of different purposes never overlap.
enum class Purpose : std::uint64_t { Order = 1, Augmentation, Dropout, Weights, WeightNoise, Statistics, Layers, Sampling };

inline Random randomFor(std::uint64_t seed, Purpose purpose, std::uint64_t a = 0, std::uint64_t b = 0) {
    return Random({seed, static_cast<std::uint64_t>(purpose), a, b});
}

} // namespace headroom::training
