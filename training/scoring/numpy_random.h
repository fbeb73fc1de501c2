// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

namespace headroom::training {

/// numpy.random.default_rng(seed): PCG64 (O'Neill 2014), seeded through SeedSequence, so that resampling
/// tests draw what sacreBLEU draws. Not thread-safe.
class NumpyRandom {
public:
    explicit NumpyRandom(std::uint32_t seed);
    /// rng.choice(n, size=count, replace=True): Lemire's bounded integers. 1 ≤ n.
    std::vector<std::uint32_t> choice(std::uint32_t n, std::size_t count);
    /// rng.integers(2, size=count, dtype=bool). Each call starts with a fresh word, as in numpy.
    std::vector<bool> bits(std::size_t count);

private:
    __extension__ using Wide = unsigned __int128;
    std::uint64_t next64();
    std::uint32_t next32();

    Wide m_state = 0, m_increment = 0;
    bool m_hasHalf = false;
    std::uint32_t m_half = 0;
};

} // namespace headroom::training
