// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensors/sha256_blocks.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace headroom {

#if defined(__x86_64__)

namespace {

/// Two words of the state are kept as the instructions want them: A B E F and C D G H, from high to low.
__attribute__((target("sha,sse4.1"))) void sha256BlocksX86(std::uint32_t* state, const std::byte* blocks,
                                                           std::size_t count) {
    const __m128i bigEndian = _mm_set_epi64x(0x0c0d0e0f08090a0bLL, 0x0405060700010203LL);
    const auto* stored = reinterpret_cast<__m128i*>(state);
    const __m128i cdab = _mm_shuffle_epi32(_mm_loadu_si128(stored), 0xB1);
    const __m128i efgh = _mm_shuffle_epi32(_mm_loadu_si128(stored + 1), 0x1B);
    __m128i abef = _mm_alignr_epi8(cdab, efgh, 8);
    __m128i cdgh = _mm_blend_epi16(efgh, cdab, 0xF0);
    for (; count > 0; --count, blocks += 64) {
        const __m128i abefBefore = abef, cdghBefore = cdgh;
        __m128i w[4]; // the last sixteen words of the schedule
        for (int i = 0; i < 4; ++i)
            w[i] = _mm_shuffle_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(blocks) + i), bigEndian);
        for (int i = 0; i < 16; ++i) { // four rounds each
            const __m128i constants =
                _mm_loadu_si128(reinterpret_cast<const __m128i*>(kSha256Constants.data()) + i);
            __m128i words = w[i % 4];
            const __m128i sum = _mm_add_epi32(words, constants);
            cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
            abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0E));
            if (i >= 12)
                continue;
            // w[t + 16 …] from w[t …], w[t + 4 …], w[t + 8 …] and w[t + 12 …]
            const __m128i last = w[(i + 3) % 4], before = w[(i + 2) % 4];
            words = _mm_sha256msg1_epu32(words, w[(i + 1) % 4]);
            words = _mm_add_epi32(words, _mm_alignr_epi8(last, before, 4));
            w[i % 4] = _mm_sha256msg2_epu32(words, last);
        }
        abef = _mm_add_epi32(abef, abefBefore);
        cdgh = _mm_add_epi32(cdgh, cdghBefore);
    }
    const __m128i feba = _mm_shuffle_epi32(abef, 0x1B), dchg = _mm_shuffle_epi32(cdgh, 0xB1);
    auto* result = reinterpret_cast<__m128i*>(state);
    _mm_storeu_si128(result, _mm_blend_epi16(feba, dchg, 0xF0));
    _mm_storeu_si128(result + 1, _mm_alignr_epi8(dchg, feba, 8));
}

} // namespace

Sha256Blocks sha256BlocksOfProcessor() {
    unsigned a = 0, b = 0, c = 0, d = 0;
    constexpr unsigned kSha = 1U << 29, kSse41 = 1U << 19;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & kSse41) || !__get_cpuid_count(7, 0, &a, &b, &c, &d) || !(b & kSha))
        return nullptr;
    return sha256BlocksX86;
}

#else

Sha256Blocks sha256BlocksOfProcessor() {
    return nullptr;
}

#endif

} // namespace headroom
