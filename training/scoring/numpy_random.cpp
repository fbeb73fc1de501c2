// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/scoring/numpy_random.h"

#include <array>

namespace headroom::training {
namespace {

/// numpy's SeedSequence: a pool of four words, each mixed into the others.
std::array<std::uint64_t, 4> seedWords(std::uint32_t seed) {
    std::uint32_t multiplier = 0x43b0d7e5;
    const auto hashed = [&](std::uint32_t value) {
        value ^= multiplier;
        multiplier *= 0x931e8875;
        value *= multiplier;
        return value ^ (value >> 16);
    };
    const auto mixed = [](std::uint32_t x, std::uint32_t y) {
        const std::uint32_t value = 0xca01f9ddU * x - 0x4973f715U * y;
        return value ^ (value >> 16);
    };
    std::array<std::uint32_t, 4> pool{};
    for (std::size_t i = 0; i < 4; ++i)
        pool[i] = hashed(i == 0 ? seed : 0);
    for (std::size_t from = 0; from < 4; ++from)
        for (std::size_t to = 0; to < 4; ++to)
            if (from != to)
                pool[to] = mixed(pool[to], hashed(pool[from]));
    std::uint32_t constant = 0x8b51f9dd;
    std::array<std::uint64_t, 4> words{};
    for (std::size_t i = 0; i < 8; ++i) {
        std::uint32_t value = pool[i % 4] ^ constant;
        constant *= 0x58f38ded;
        value *= constant;
        value ^= value >> 16;
        words[i / 2] |= std::uint64_t(value) << (32 * (i % 2));
    }
    return words;
}

} // namespace

NumpyRandom::NumpyRandom(std::uint32_t seed) {
    const auto words = seedWords(seed);
    m_increment = (((Wide(words[2]) << 64) | words[3]) << 1) | 1;
    next64();
    m_state += (Wide(words[0]) << 64) | words[1];
    next64();
}

std::uint64_t NumpyRandom::next64() {
    constexpr Wide kMultiplier = (Wide(2549297995355413924ULL) << 64) | 4865540595714422341ULL;
    m_state = m_state * kMultiplier + m_increment;
    const auto high = static_cast<std::uint64_t>(m_state >> 64);
    const std::uint64_t folded = high ^ static_cast<std::uint64_t>(m_state);
    const unsigned turn = static_cast<unsigned>(high >> 58);
    return (folded >> turn) | (folded << ((64 - turn) & 63));
}

std::uint32_t NumpyRandom::next32() {
    if (m_hasHalf) {
        m_hasHalf = false;
        return m_half;
    }
    const std::uint64_t both = next64();
    m_hasHalf = true;
    m_half = static_cast<std::uint32_t>(both >> 32);
    return static_cast<std::uint32_t>(both);
}

std::vector<std::uint32_t> NumpyRandom::choice(std::uint32_t n, std::size_t count) {
    std::vector<std::uint32_t> drawn(count, 0);
    if (n <= 1)
        return drawn; // numpy draws nothing either
    const std::uint32_t threshold = (0xFFFFFFFFU - (n - 1)) % n;
    for (std::uint32_t& one : drawn) {
        std::uint64_t product = std::uint64_t(next32()) * n;
        while (static_cast<std::uint32_t>(product) < threshold)
            product = std::uint64_t(next32()) * n;
        one = static_cast<std::uint32_t>(product >> 32);
    }
    return drawn;
}

std::vector<bool> NumpyRandom::bits(std::size_t count) {
    std::vector<bool> drawn(count);
    std::uint32_t word = 0;
    for (std::size_t i = 0; i < count; ++i) {
        word = i % 32 == 0 ? next32() : word >> 1;
        drawn[i] = word & 1;
    }
    return drawn;
}

} // namespace headroom::training
