// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <bit>
#include <cstdint>

namespace headroom {

/// Converts IEEE 754 binary16 to float. Exact for every value, including subnormals, infinity and NaN.
constexpr float floatFromHalf(std::uint16_t half) {
    const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000u) << 16;
    const std::uint32_t exponent = (half >> 10) & 0x1fu;
    const std::uint32_t fraction = half & 0x3ffu;
    if (exponent == 0x1f)
        return std::bit_cast<float>(sign | 0x7f800000u | (fraction << 13));
    if (exponent != 0)
        return std::bit_cast<float>(sign | ((exponent + 112) << 23) | (fraction << 13));
    const float magnitude = static_cast<float>(fraction) * 0x1p-24f; // subnormals and zero
    return sign ? -magnitude : magnitude;
}

/// Converts float to binary16, to nearest, ties to even; overflow becomes infinity.
constexpr std::uint16_t halfFromFloat(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const auto sign = static_cast<std::uint16_t>((bits >> 16) & 0x8000u);
    const std::uint32_t magnitude = bits & 0x7fffffffu;
    if (magnitude > 0x7f800000u)
        return static_cast<std::uint16_t>(sign | 0x7e00u | ((magnitude >> 13) & 0x1ffu));
    if (magnitude >= 0x477ff000u) // 65,520 is half way between the largest half and 2^16
        return static_cast<std::uint16_t>(sign | 0x7c00u);
    if (magnitude >= 0x38800000u) { // normal
        const std::uint32_t rounded = magnitude + 0xfffu + ((magnitude >> 13) & 1u);
        return static_cast<std::uint16_t>(sign | ((rounded - 0x38000000u) >> 13));
    }
    if (magnitude <= 0x33000000u) // 2^-25 is half way to the smallest subnormal: ties to even, zero
        return sign;
    const std::uint32_t shift = 126u - (magnitude >> 23);
    const std::uint32_t fraction = (magnitude & 0x7fffffu) | 0x800000u;
    const std::uint32_t half = 1u << (shift - 1);
    const std::uint32_t rest = fraction & ((1u << shift) - 1);
    std::uint32_t result = fraction >> shift;
    if (rest > half || (rest == half && (result & 1u)))
        ++result;
    return static_cast<std::uint16_t>(sign | result);
}

/// Converts bfloat16 to float, exactly: the upper half of a float.
constexpr float floatFromBfloat16(std::uint16_t value) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(value) << 16);
}

/// Converts float to bfloat16, to nearest, ties to even.
constexpr std::uint16_t bfloat16FromFloat(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    if ((bits & 0x7fffffffu) > 0x7f800000u)
        return static_cast<std::uint16_t>((bits >> 16) | 0x40u);
    return static_cast<std::uint16_t>((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}

} // namespace headroom
